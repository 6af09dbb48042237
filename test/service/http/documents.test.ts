import { join } from "node:path";
import { describe, expect, test as plainTest } from "vitest";
import { addDocument, withOrigin } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { errorsOf, jsonOf, statusOf } from "../answers.ts";
import { answerEvents } from "../answer-events.ts";
import { runEngines, type RunningEngines, saidBy } from "../engines-fixture.ts";
import { runChatServer, saying, streams } from "../language/engines/chat-completions/chat-server.ts";
import { temporaryFolder } from "../service-fixture.ts";

const museum = "# Museum\n\nThe museum opens at nine.\n\nTickets for the museum cost 12 euros.";
const price = "What do tickets cost?";

async function withDocument(text = museum, title = "Museum guide") {
  const folder = temporaryFolder();
  const run = await runEngines({ folder });
  const files = openFolderFiles(join(folder, "files"));
  const document = { organizationId: run.organizationId, title, text, description: "What is where" };
  const id = await addDocument({ store: run.store, files, clock: { nowMs: () => 0 } }, document);
  const retrieval = { capability: ["LLM"], llm_type: "visavis-retrieval", prompt: run.demo.id };
  return Object.assign(run, {
    ...{ id, retrieval },
    searches: async () => (await run.store.catalogue.find("document", run.organizationId, id))?.search_count,
    sessionWith: (fields: object = { document: id }) => run.session({ ...retrieval, ...fields }),
    said: async (session: string, question: string) => saidBy(await run.ask(session, question)),
  });
}

const test = plainTest.extend("run", () => withDocument());

test("a document is listed, and only its organization can read its text", async ({ run }) => {
  const list = await jsonOf<{ file: string }[]>(run.get("/api/v1/document/"));
  const at = "1970-01-01T00:00:00.000Z";
  expect(list.slice(1)).toEqual([
    {
      ...{ document_id: run.id, title: "Museum guide", description: "What is where", processed: true },
      ...{ processed_v2: true, created_at: at, updated_at: at, search_count: 0, ef_search: 0 },
      file: `https://relay.example/api/v1/document/${run.id}/file/`,
    },
  ]);
  const path = new URL(list[1]?.file ?? "").pathname;
  const file = await run.get(path);
  expect([file.status, await file.text()]).toEqual([200, museum]);
  expect(file.headers.get("content-disposition")).toBe("attachment");
  expect(await statusOf(run.request(path))).toBe(401);
  expect(await statusOf(run.get("/api/v1/document/no-such-document/file/"))).toBe(404);
});

test("a session's questions are answered from its document, and each answer counts as a search", async ({
  run,
}) => {
  const session = await run.sessionWith();
  expect(await run.said(session, price)).toContain("cost 12 euros.");
  // Prices of the instructions are for a language model.
  expect(await run.said(session, "How much is the Birch chair?")).not.toContain("190");
  expect(await run.searches()).toBe(2);
  expect(await jsonOf(run.get(`/api/v1/session/${session}/`))).toMatchObject({ document: run.id });
});

test("an answer that begins early counts as a search once its question is asked", async ({ run }) => {
  const session = await run.sessionWith();
  for (const content of ["What do", price]) {
    const body = { messages: [{ role: "user", content }] };
    await run.send("POST", `/api/v1/session/${session}/llm/v2/early/`, body);
  }
  expect(await run.searches()).toBe(0);
  expect(await run.said(session, price)).toContain("cost 12 euros.");
  expect(await run.searches()).toBe(1);
});

test("a document can be named by its title; a session without it does not use it", async ({ run }) => {
  const titled = await run.sessionWith({ document: "Museum guide" });
  expect(await run.said(titled, "When does the museum open?")).toContain("opens at nine.");
  const without = await run.sessionWith({});
  expect(await run.said(without, "When does the museum open?")).toMatch(/^I don't have an answer/);
  expect(await run.searches()).toBe(1);
});

test.for([{}, { extra_data: { context_id: "ctx_demo" } }])(
  "a session uses its own document or that of its embed context: %j",
  async (fields, { run }) => {
    await run.configure({ ...run.demo.config, document: run.id });
    expect(await run.said(await run.sessionWith(fields), price)).toContain("cost 12 euros.");
  },
);

describe("a chat model gets", () => {
  /** The system prompt that a chat model gets with a question. */
  async function systemFor(run: RunningEngines & { id: string }, question: string): Promise<string> {
    const chat = await runChatServer(streams(saying("ok")));
    await run.putChatModel("chat", chat.url);
    const fields = { capability: ["LLM"], llm_type: "chat", prompt: run.demo.id, document: run.id };
    await run.ask(await run.session(fields), question);
    return chat.requests[0]?.body.messages[0]?.content ?? "";
  }

  test("a short document completely", async ({ run }) => {
    const given = "Passages from the documents you were given:";
    const system = `${run.demo.instructions}\n\n${given}\n\nMuseum guide\n\n${museum}`;
    expect(await systemFor(run, "Hello")).toBe(system);
  });

  test("of a long one the passages that match, which others quote, after the prompt and within a limit", async () => {
    const filler = Array.from({ length: 900 }, (_, index) => `Room ${index} holds paintings of many kinds.`);
    const answer = "박물관 입장권은 12유로입니다.";
    const lines = [...filler.slice(0, 450), "", answer, "", ...filler.slice(450)];
    const run = await withDocument(lines.join("\n"));
    expect(await run.said(await run.sessionWith(), "입장권은 얼마인가요?")).toContain(answer);
    const system = await systemFor(run, "박물관 입장권은 얼마인가요?");
    expect(system.startsWith(run.demo.instructions)).toBe(true);
    expect(system).toContain(answer);
    expect(system.length).toBeLessThan(run.demo.instructions.length + 6_500);
    expect(await run.searches()).toBe(2);
  });
});

test("a prompt that requires a document refuses sessions without one", async ({ run }) => {
  await run.putPrompt("guide", { require_document: true });
  const refused = run.send("POST", "/api/v1/session/", { ...run.retrieval, prompt: "guide" });
  const detail = 'The prompt "guide" requires a document.';
  expect(await errorsOf(refused)).toEqual([{ code: "required", detail, attr: "document" }]);
  await run.sessionWith({ prompt: "guide", document: run.id });
});

test("a conversation continues without a document that was removed", async ({ run }) => {
  const session = await run.sessionWith();
  await run.store.catalogue.remove("document", run.organizationId, run.id);
  expect(await run.said(session, price)).toMatch(/^I don't have an answer/);
});

test.for([
  ["", "no_text"],
  [" \n-- ", "no_text"],
  ["x".repeat(1_000_001), "too_long"],
] as const)("%.10j is no document: %s", async ([text, code]) => {
  await expect(withDocument(text)).rejects.toMatchObject({ code });
});

describe("sources", () => {
  const passage = "Oil the table twice a year.";
  const text = `# Care\n\n${passage}`;

  test("an answer says which document it is from, unless its owner does not want that", async () => {
    const run = await withDocument(text, "Care of wood");
    const answered = async (embed_config: object) => {
      expect(await statusOf(run.configure({ document: run.id, ...embed_config }))).toBe(200);
      const session = await run.sessionWith({ extra_data: { context_id: "ctx_demo" } });
      const messages = [{ role: "user", content: "How often should I oil the table?" }];
      return answerEvents(await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages }));
    };
    const sources = [{ title: "Care of wood", passage, quotes: [passage] }];
    expect((await answered({})).at(-1)).toMatchObject({ type: "finish", sources });
    expect((await answered({ sources: false })).at(-1)).not.toHaveProperty("sources");
  });

  test("a page whose path begins with two slashes is still one of its own website", async () => {
    const page = { path: "//elsewhere.example/care", characters: text.length };
    const report = { pages: [page] };
    const store = { websites: { find: () => Promise.resolve({ address: "https://wood.example/", report }) } };
    const stored = { id: "d1", title: "wood.example", text, source: "website" } as const;
    const { pages } = await withOrigin(store as never, "o1", stored);
    expect(pages).toEqual([{ url: "https://wood.example//elsewhere.example/care", characters: text.length }]);
  });
});

test("today is the day in the time zone of the context's site, for answers and in the knowledge test", async () => {
  const days = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
  const hours = days.map((day, at) => `${day}: ${at + 7}:00-${at + 13}:30`);
  const today = (timeZone: string): string => {
    const day = new Intl.DateTimeFormat("en", { weekday: "long", timeZone }).format(new Date());
    return hours[days.indexOf(day)] ?? "";
  };
  const text = ["# Opening hours", "", ...hours, "", "# Care", "", "Oil the table twice a year."].join("\n");
  const run = await withDocument(text, "Hours");
  const question = "When do you open today?";
  // 25 hours apart: never the same day.
  for (const time_zone of ["Pacific/Kiritimati", "Pacific/Niue"]) {
    expect(await statusOf(run.configure({ document: run.id, time_zone }))).toBe(200);
    const before = today(time_zone);
    const said = await run.said(await run.sessionWith({ extra_data: { context_id: "ctx_demo" } }), question);
    const body = { question, context: run.demo.id };
    const { answer } = await jsonOf<{ answer: string }>(
      run.send("POST", "/api/console/knowledge-test/", body),
    );
    // Midnight may have passed.
    for (const one of [said, answer]) expect([before, today(time_zone)]).toContain(one);
  }
});
