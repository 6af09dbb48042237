/** What visitors leave while nobody is there, and what owners do with it. */
import { expect, onTestFinished, vi } from "vitest";
import type { ConversationDetail } from "../../../../src/protocol/console/conversations.ts";
import type { InboxMessage } from "../../../../src/protocol/console/inbox.ts";
import { refusalOf, statusOf } from "../../answers.ts";
import type { RunningService } from "../../service-fixture.ts";
import { invited, jsonOf, owner, test as consoleTest } from "./console-fixture.ts";
import { newConversation } from "./visitor.ts";
import { receiveWebhooks } from "./webhook-receiver.ts";

const list = "/api/console/inbox/";
const daySec = 24 * 60 * 60;

/** The demo avatar takes messages. */
async function takeMessages({ demo, configure }: RunningService, ui: object): Promise<void> {
  await configure({ ...demo.config, ui: { ...demo.config.ui, ...ui } });
}

const message = {
  id: "message-1",
  text: "  Can you deliver on a Saturday?\n<b>And</b> the bench?  ",
  name: "Ana",
  email: "ana@weiz.example",
  page: "https://shop.example/tables",
};
const text = message.text.trim();

/** A conversation with an avatar that takes messages. */
const test = consoleTest
  .extend("session", async ({ run }) => {
    await takeMessages(run, { handover_message: ["email", "name"] });
    return newConversation(run);
  })
  .extend("leave", ({ run, session }) => (fields: object = {}, of = session): Promise<Response> => {
    return run.send("POST", `/api/v1/session/${of}/message/`, { ...message, ...fields });
  });

const textsOf = async ({ store, organizationId }: RunningService) =>
  (await store.inbox.page(organizationId, {}, {})).items.map((one) => one.text);

test("a message is in the inbox as it was written, once however often it is sent", async ({
  run,
  browser,
  session,
  leave,
}) => {
  for (let time = 0; time < 2; time += 1) expect(await statusOf(leave())).toBe(204);
  const messages = await jsonOf<InboxMessage[]>(browser.get(list));
  const { name, email, page } = message;
  expect(messages).toEqual([
    {
      ...{ id: expect.any(String) as string, session_id: session, context: run.demo.id, text, name, email },
      ...{ at: "2026-01-01T00:00:00.000Z", state: "new", by: "", phone: "", page, agreed_to: "" },
    },
  ]);
  expect(await jsonOf(browser.get(`${list}${messages[0]!.id}/`))).toEqual(messages[0]);
});

test("webhooks are told of a message once, with its words where the owner wants them, which go with it", async ({
  run,
  browser,
  leave,
}) => {
  onTestFinished(() => run.service.stop());
  const receivers: (Awaited<ReturnType<typeof receiveWebhooks>> & { id: string })[] = [];
  for (const with_words of [true, false]) {
    const receiver = await receiveWebhooks();
    const target = { address: `${receiver.origin}/hook`, events: ["message.left"], with_words };
    const made = browser.send("POST", "/api/console/webhooks/", target);
    receivers.push(Object.assign(receiver, await jsonOf<{ id: string; secret: string }>(made)));
  }
  for (let time = 0; time < 2; time += 1) await leave();
  await leave({ id: "message-2", text: "And on Sunday?" });
  const wordsTold = [];
  for (const { received } of receivers) {
    await vi.waitFor(() => expect(received).toHaveLength(2));
    wordsTold.push(received.map(({ data }) => data["words"]));
  }
  const words = { text, name: message.name, email: message.email, phone: "" };
  expect(wordsTold).toEqual([
    [words, { ...words, text: "And on Sunday?" }],
    [undefined, undefined],
  ]);
  const kept = async () =>
    (await run.store.webhooks.deliveries(receivers[0]!.id, { limit: 9 })).items.map((one) => one.words);
  expect(await kept()).toEqual([expect.anything(), expect.anything()]);
  for (const { id } of await jsonOf<InboxMessage[]>(browser.get(list)))
    await browser.send("DELETE", `${list}${id}/`);
  expect(await kept()).toEqual([null, null]);
});

test("a message can be left after the conversation's end, and five in all", async ({
  run,
  session,
  leave,
}) => {
  await run.event(session, "SESSION_END");
  const status = (number: number) => statusOf(leave({ id: `message-${number}` }));
  for (const number of [1, 2, 3, 4, 5]) expect(await status(number)).toBe(204);
  expect([await status(6), await status(5)]).toEqual([429, 204]);
  expect(await run.store.inbox.counts(run.organizationId)).toEqual({ new: 5, answered: 0, done: 0 });
});

test("an avatar takes no messages unless its owner wants them", async ({ run, leave }) => {
  await takeMessages(run, {});
  expect(await statusOf(leave({}, await newConversation(run)))).toBe(403);
  expect(await textsOf(run)).toEqual([]);
});

test("what the owner asks for must be there, and what nobody asks for is not stored", async ({
  run,
  browser,
  leave,
}) => {
  await takeMessages(run, { handover_message: ["phone"], handover_consent: "You may call me." });
  const session = await newConversation(run);
  const unasked = { name: undefined, page: undefined, phone: "+43 316 1234" };
  for (const [fields, fault] of [
    [{ email: undefined, text: "   " }, /text /],
    [{ email: undefined, phone: undefined }, /phone required/],
    [{ email: undefined, phone: "call me" }, /phone /],
    [{}, /agreed required/],
    [{ email: "ana@weiz" }, /email /],
    [{ text: "a".repeat(4_001) }, /text /],
  ] as const)
    expect((await refusalOf(leave({ ...unasked, ...fields }, session)))[1]).toMatch(fault);
  expect(await statusOf(leave({ ...unasked, agreed: true }, session))).toBe(204);
  const stored = { phone: "+43 316 1234", email: "", name: "", agreed_to: "You may call me." };
  expect(await jsonOf(browser.get(list))).toMatchObject([stored]);
});

test("a message is answered by those who answer visitors, and deleted by editors; both are in the audit log", async ({
  run,
  browser,
  leave,
}) => {
  await leave();
  const [{ id } = { id: "" }] = await jsonOf<InboxMessage[]>(browser.get(list));
  const path = `${list}${id}/`;
  const answers = await invited(run, "answers", "answers");
  expect(await statusOf(answers.send("PUT", path, { state: "answered" }))).toBe(204);
  expect(await jsonOf(browser.get(`${list}?state=new`))).toEqual([]);
  expect(await jsonOf(browser.get(`${list}?state=answered`))).toMatchObject([{ id, by: "answers" }]);
  expect(await jsonOf(browser.get("/api/console/inbox-counts/"))).toEqual({ new: 0, answered: 1, done: 0 });
  expect(await statusOf(browser.send("DELETE", path))).toBe(204);
  for (const [method, body] of [["GET"], ["PUT", { state: "done" }], ["DELETE"]] as const)
    expect(await statusOf(browser.send(method, path, body))).toBe(404);
  const audit = await jsonOf<{ operation: string }[]>(browser.get("/api/console/audit-log/"));
  const operations = audit.map(({ operation }) => operation);
  expect(operations).toEqual(expect.arrayContaining(["setMessageState", "deleteMessage"]));
});

test("another organization neither sees nor changes a message", async ({ run, leave }) => {
  await leave();
  const { inbox } = run.store;
  const [{ id } = { id: "" }] = (await inbox.page(run.organizationId, {}, {})).items;
  await run.store.organizations.insert({ id: "other", name: "Other", createdAtMs: 1 });
  expect(await inbox.byId("other", id)).toBeNull();
  expect((await inbox.page("other", {}, {})).items).toEqual([]);
  expect(await inbox.setState("other", id, "done", "x")).toBe(false);
  expect(await inbox.setDeleted("other", id, 1)).toBe(false);
  expect(await inbox.byId(run.organizationId, id)).toMatchObject({ state: "new" });
});

test("a deleted conversation takes its messages along, and brings them back", async ({
  run,
  browser,
  session,
  leave,
}) => {
  await leave();
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

test("messages are removed after 90 days, and deleted ones with the next sweep", async ({ run, leave }) => {
  await leave();
  run.pass(45 * daySec);
  await leave({ text: "The second" }, await newConversation(run));
  run.pass(46 * daySec);
  await run.service.removeExpired();
  expect(await textsOf(run)).toEqual(["The second"]);
  const browser = await owner(run);
  const [{ id } = { id: "" }] = await jsonOf<InboxMessage[]>(browser.get(list));
  await browser.send("DELETE", `${list}${id}/`);
  await run.service.removeExpired();
  expect(await textsOf(run)).toEqual([]);
});

test("the inbox can be downloaded as a table whose cells no spreadsheet runs", async ({ browser, leave }) => {
  await leave({ text: "=cmd()", name: "+Ana" });
  const file = await browser.get("/api/console/inbox-export/csv/?state=new");
  expect(file.headers.get("content-disposition")).toContain("messages.csv");
  const table = await file.text();
  for (const cell of ["'=cmd()", "'+Ana"]) expect(table).toContain(cell);
  expect(table.split("\r\n")).toHaveLength(3);
});
