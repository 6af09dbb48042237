/** What visitors leave while nobody is there, and what owners do with it. */
import { expect, onTestFinished, test, vi } from "vitest";
import type { ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import type { InboxMessage } from "../../../../src/protocol/console/inbox.ts";
import type { RunningService } from "../../service-fixture.ts";
import { invited, jsonOf, owner, runConsole } from "./console-fixture.ts";
import { newConversation } from "./visitor.ts";
import { receiveWebhooks } from "./webhook-receiver.ts";

const list = "/api/console/inbox/";
const daySec = 24 * 60 * 60;

/** The demo avatar takes messages. */
async function takeMessages(
  { demo, organizationId, store }: RunningService,
  ui: Record<string, unknown> = { handover_message: ["email", "name"] },
): Promise<void> {
  const config = { ...demo.config, ui: { ...demo.config.ui, ...ui } };
  await store.contexts.replace(organizationId, demo.id, { ...demo, embed_config: config }, 1);
}

const message = {
  id: "message-1",
  text: "  Can you deliver on a Saturday?\n<b>And</b> the bench?  ",
  name: "Ana",
  email: "ana@weiz.example",
  page: "https://shop.example/tables",
};

const leave = (run: RunningService, session: string, body: Record<string, unknown> = message) =>
  run.send("POST", `/api/v1/session/${session}/message/`, body);

const fault = async (answer: Response) =>
  ((await answer.json()) as { errors: { code: string; attr: string | null }[] }).errors[0];

test("a message is in the inbox as it was written, once however often it is sent", async () => {
  const run = await runConsole();
  await takeMessages(run);
  const session = await newConversation(run);
  for (let time = 0; time < 2; time += 1) expect((await leave(run, session)).status).toBe(204);
  const browser = await owner(run);
  const messages = await jsonOf<InboxMessage[]>(browser.get(list));
  expect(messages).toEqual([
    {
      id: expect.any(String) as string,
      session_id: session,
      context: run.demo.id,
      at: "2026-01-01T00:00:00.000Z",
      state: "new",
      by: "",
      text: "Can you deliver on a Saturday?\n<b>And</b> the bench?",
      name: "Ana",
      email: "ana@weiz.example",
      phone: "",
      page: "https://shop.example/tables",
      agreed_to: "",
    },
  ]);
  expect(await jsonOf(browser.get(`${list}${messages[0]!.id}/`))).toEqual(messages[0]);
});

test("webhooks are told of a message once, with its words where the owner wants them, which go with it", async () => {
  const run = await runConsole();
  onTestFinished(() => run.service.stop());
  await takeMessages(run);
  const browser = await owner(run);
  const receivers = [];
  for (const with_words of [true, false]) {
    const receiver = await receiveWebhooks();
    const target = { address: `${receiver.origin}/hook`, events: ["message.left"], with_words };
    const { id, secret } = await jsonOf<{ id: string; secret: string }>(
      browser.send("POST", "/api/console/webhooks/", target),
    );
    receivers.push(Object.assign(receiver, { id, secret }));
  }
  const session = await newConversation(run);
  for (let time = 0; time < 2; time += 1) expect((await leave(run, session)).status).toBe(204);
  await leave(run, session, { ...message, id: "message-2", text: "And on Sunday?" });
  const wordsTold = [];
  for (const { received } of receivers) {
    await vi.waitFor(() => expect(received).toHaveLength(2));
    wordsTold.push(received.map(({ data }) => data["words"]));
  }
  const { name, email } = message;
  const words = { text: "Can you deliver on a Saturday?\n<b>And</b> the bench?", name, email, phone: "" };
  expect(wordsTold).toEqual([
    [words, { ...words, text: "And on Sunday?" }],
    [undefined, undefined],
  ]);
  const { store } = run;
  const [wanting] = receivers;
  const kept = async () =>
    (await store.webhooks.deliveries(wanting!.id, { limit: 9 })).items.map((one) => one.words);
  expect(await kept()).toEqual([expect.anything(), expect.anything()]);
  for (const { id } of await jsonOf<InboxMessage[]>(browser.get(list)))
    await browser.send("DELETE", `${list}${id}/`);
  expect(await kept()).toEqual([null, null]);
});

test("a message can be left after the conversation's end, and five in all", async () => {
  const run = await runConsole();
  await takeMessages(run);
  const session = await newConversation(run);
  await run.event(session, "SESSION_END");
  for (const number of [1, 2, 3, 4, 5])
    expect((await leave(run, session, { ...message, id: `message-${number}` })).status).toBe(204);
  expect((await leave(run, session, { ...message, id: "message-6" })).status).toBe(429);
  expect((await leave(run, session, { ...message, id: "message-5" })).status).toBe(204);
  expect(await run.store.inbox.counts(run.organizationId)).toEqual({ new: 5, answered: 0, done: 0 });
});

test("an avatar takes no messages unless its owner wants them", async () => {
  const run = await runConsole();
  const session = await newConversation(run);
  const answer = await leave(run, session);
  expect(answer.status).toBe(403);
  expect(await run.store.inbox.counts(run.organizationId)).toEqual({ new: 0, answered: 0, done: 0 });
});

test("what the owner asks for must be there, and what nobody asks for is not stored", async () => {
  const run = await runConsole();
  await takeMessages(run, { handover_message: ["phone"], handover_consent: "You may call me." });
  const session = await newConversation(run);
  const { id, text } = message;
  expect(await fault(await leave(run, session, { id, text: "   ", phone: "1234" }))).toMatchObject({
    attr: "text",
  });
  expect(await fault(await leave(run, session, { id, text }))).toMatchObject({
    code: "required",
    attr: "phone",
  });
  expect(await fault(await leave(run, session, { id, text, phone: "call me" }))).toMatchObject({
    attr: "phone",
  });
  const unasked = { id, text, phone: "+43 316 1234", email: "ana@weiz.example" };
  expect(await fault(await leave(run, session, unasked))).toMatchObject({ code: "required", attr: "agreed" });
  expect(await fault(await leave(run, session, { ...unasked, email: "ana@weiz" }))).toMatchObject({
    attr: "email",
  });
  expect(await fault(await leave(run, session, { ...unasked, text: "a".repeat(4_001) }))).toMatchObject({
    attr: "text",
  });
  expect((await leave(run, session, { ...unasked, agreed: true })).status).toBe(204);
  expect(await jsonOf((await owner(run)).get(list))).toMatchObject([
    { phone: "+43 316 1234", email: "", name: "", agreed_to: "You may call me." },
  ]);
});

test("a message is answered by those who answer visitors, and deleted by editors; both are in the audit log", async () => {
  const run = await runConsole();
  await takeMessages(run);
  await leave(run, await newConversation(run));
  const browser = await owner(run);
  const [{ id } = { id: "" }] = await jsonOf<InboxMessage[]>(browser.get(list));
  const answers = await invited(run, "answers", "answers");
  expect((await answers.send("PUT", `${list}${id}/`, { state: "answered" })).status).toBe(204);
  expect(await jsonOf(browser.get(`${list}?state=new`))).toEqual([]);
  expect(await jsonOf(browser.get(`${list}?state=answered`))).toMatchObject([{ id, by: "answers" }]);
  expect(await jsonOf(browser.get("/api/console/inbox-counts/"))).toEqual({ new: 0, answered: 1, done: 0 });
  expect((await browser.send("DELETE", `${list}${id}/`)).status).toBe(204);
  for (const method of ["GET", "PUT", "DELETE"] as const)
    expect(
      (await browser.send(method, `${list}${id}/`, method === "PUT" ? { state: "done" } : undefined)).status,
    ).toBe(404);
  const audit = await jsonOf<{ operation: string }[]>(browser.get("/api/console/audit-log/"));
  expect(audit.map(({ operation }) => operation)).toEqual(
    expect.arrayContaining(["setMessageState", "deleteMessage"]),
  );
});

test("another organization neither sees nor changes a message", async () => {
  const run = await runConsole();
  await takeMessages(run);
  await leave(run, await newConversation(run));
  const [{ id } = { id: "" }] = (await run.store.inbox.page(run.organizationId, {}, {})).items;
  await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: 1 });
  const { inbox } = run.store;
  expect(await inbox.byId("other", id)).toBeNull();
  expect((await inbox.page("other", {}, {})).items).toEqual([]);
  expect(await inbox.setState("other", id, "done", "x")).toBe(false);
  expect(await inbox.setDeleted("other", id, 1)).toBe(false);
  expect(await inbox.byId(run.organizationId, id)).toMatchObject({ state: "new" });
});

test("a deleted conversation takes its messages along, and brings them back", async () => {
  const run = await runConsole();
  await takeMessages(run);
  const session = await newConversation(run);
  await leave(run, session);
  const browser = await owner(run);
  const conversation = `/api/console/conversations/${session}/`;
  const detail = await jsonOf<ConversationDetail>(browser.get(conversation));
  expect(detail.moments).toContainEqual(expect.objectContaining({ type: "message", at_sec: 0 }));
  const exported = await (await browser.get("/api/console/conversation-export/csv/")).text();
  expect(exported).toContain("Can you deliver on a Saturday?");
  await browser.send("DELETE", conversation);
  expect(await jsonOf(browser.get(list))).toEqual([]);
  await browser.send("POST", `${conversation}restore/`);
  expect(await jsonOf(browser.get(list))).toHaveLength(1);
  await browser.send("DELETE", conversation);
  run.pass(60);
  await run.service.removeExpired();
  expect(await run.store.inbox.ofSession(session)).toEqual([]);
});

test("messages are removed after 90 days, and deleted ones with the next sweep", async () => {
  const run = await runConsole();
  await takeMessages(run);
  const session = await newConversation(run);
  await leave(run, session);
  run.pass(45 * daySec);
  await leave(run, await newConversation(run), { ...message, text: "The second" });
  run.pass(46 * daySec);
  await run.service.removeExpired();
  const texts = async () =>
    (await run.store.inbox.page(run.organizationId, {}, {})).items.map(({ text }) => text);
  expect(await texts()).toEqual(["The second"]);
  const browser = await owner(run);
  const [{ id } = { id: "" }] = await jsonOf<InboxMessage[]>(browser.get(list));
  await browser.send("DELETE", `${list}${id}/`);
  await run.service.removeExpired();
  expect(await texts()).toEqual([]);
});

test("the inbox can be downloaded as a table whose cells no spreadsheet runs", async () => {
  const run = await runConsole();
  await takeMessages(run);
  await leave(run, await newConversation(run), { ...message, text: "=cmd()", name: "+Ana" });
  const file = await (await owner(run)).get("/api/console/inbox-export/csv/?state=new");
  expect(file.headers.get("content-disposition")).toContain("messages.csv");
  const text = await file.text();
  expect(text).toContain("'=cmd()");
  expect(text).toContain("'+Ana");
  expect(text.split("\r\n")).toHaveLength(3);
});
