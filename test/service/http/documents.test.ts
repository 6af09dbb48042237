import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { ErrorBody } from "../../../src/protocol/schema/error-body.ts";
import { addDocument } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { runEngines, saidBy } from "../engines-fixture.ts";
import { temporaryFolder } from "../service-fixture.ts";
import { runChatServer, saying, streams } from "../language/engines/chat-completions/chat-server.ts";

const museum = "# Museum\n\nThe museum opens at nine.\n\nTickets for the museum cost 12 euros.";

async function withDocument(text = museum) {
  const folder = temporaryFolder();
  const run = await runEngines({ folder });
  const id = await addDocument(
    { store: run.store, files: openFolderFiles(join(folder, "files")), clock: { nowMs: () => 0 } },
    { organizationId: run.organizationId, title: "Museum guide", text, description: "What is where" },
  );
  const searches = async () =>
    (await run.store.catalogue.find("document", run.organizationId, id))?.search_count;
  return { ...run, id, searches };
}

const retrieval = { capability: ["LLM"], llm_type: "visavis-retrieval" };

test("a document is listed, and only its organization can read its text", async () => {
  const run = await withDocument();
  const list = (await (await run.get("/api/v1/document/")).json()) as { file: string }[];
  expect(list.slice(1)).toEqual([
    {
      document_id: run.id,
      title: "Museum guide",
      file: `https://relay.example/api/v1/document/${run.id}/file/`,
      processed: true,
      processed_v2: true,
      created_at: "1970-01-01T00:00:00.000Z",
      updated_at: "1970-01-01T00:00:00.000Z",
      description: "What is where",
      search_count: 0,
      ef_search: 0,
    },
  ]);
  const path = new URL(list[1]?.file ?? "").pathname;
  const file = await run.get(path);
  expect([file.status, await file.text()]).toEqual([200, museum]);
  expect(file.headers.get("content-disposition")).toBe("attachment");
  expect((await run.request(path)).status).toBe(401);
  const other = await run.get("/api/v1/document/no-such-document/file/");
  expect(other.status).toBe(404);
});

test("a session's questions are answered from its document, and each answer counts as a search", async () => {
  const run = await withDocument();
  const session = await run.session({ ...retrieval, prompt: run.demo.id, document: run.id });
  expect(saidBy(await run.ask(session, "What do tickets cost?"))).toContain("cost 12 euros.");
  // Prices of the instructions are for a language model.
  expect(saidBy(await run.ask(session, "How much is the Birch chair?"))).not.toContain("190");
  expect(await run.searches()).toBe(2);
  const retrieved = (await (await run.get(`/api/v1/session/${session}/`)).json()) as object;
  expect(retrieved).toMatchObject({ document: run.id });
});

test("an answer that begins early counts as a search once its question is asked", async () => {
  const run = await withDocument();
  const session = await run.session({ ...retrieval, prompt: run.demo.id, document: run.id });
  for (const content of ["What do", "What do tickets cost?"])
    await run.send("POST", `/api/v1/session/${session}/llm/v2/early/`, {
      messages: [{ role: "user", content }],
    });
  expect(await run.searches()).toBe(0);
  expect(saidBy(await run.ask(session, "What do tickets cost?"))).toContain("cost 12 euros.");
  expect(await run.searches()).toBe(1);
});

test("a document can be named by its title; a session without it does not use it", async () => {
  const run = await withDocument();
  const titled = await run.session({ ...retrieval, prompt: run.demo.id, document: "Museum guide" });
  expect(saidBy(await run.ask(titled, "When does the museum open?"))).toContain("opens at nine.");
  const without = await run.session({ ...retrieval, prompt: run.demo.id });
  expect(saidBy(await run.ask(without, "When does the museum open?"))).toMatch(/^I don't have an answer/);
  expect(await run.searches()).toBe(1);
});

test.each([{}, { extra_data: { context_id: "ctx_demo" } }])(
  "a session uses its own document or that of its embed context: %j",
  async (fields) => {
    const run = await withDocument();
    const put = { ...run.demo, embed_config: { ...run.demo.config, document: run.id } };
    await run.store.contexts.replace(run.organizationId, run.demo.id, put, 0);
    const session = await run.session({ ...retrieval, prompt: run.demo.id, ...fields });
    expect(saidBy(await run.ask(session, "What do tickets cost?"))).toContain("cost 12 euros.");
  },
);

describe("of a long document", () => {
  const filler = Array.from({ length: 900 }, (_, index) => `Room ${index} holds paintings of many kinds.`);
  const long = [...filler.slice(0, 450), "", "박물관 입장권은 12유로입니다.", "", ...filler.slice(450)].join(
    "\n",
  );

  test("the passages that match are quoted", async () => {
    const run = await withDocument(long);
    const session = await run.session({ ...retrieval, prompt: run.demo.id, document: run.id });
    expect(saidBy(await run.ask(session, "입장권은 얼마인가요?"))).toContain("박물관 입장권은 12유로입니다.");
  });

  test("the passages that match are given to a chat model, after the session's prompt and within a limit", async () => {
    const chat = await runChatServer(streams(saying("12유로.")));
    const run = await withDocument(long);
    await run.putChatModel("chat", chat.url);
    const session = await run.session({
      capability: ["LLM"],
      llm_type: "chat",
      prompt: run.demo.id,
      document: run.id,
    });
    await run.ask(session, "박물관 입장권은 얼마인가요?");
    const system = chat.requests[0]?.body.messages[0]?.content ?? "";
    expect(system.startsWith(run.demo.instructions)).toBe(true);
    expect(system).toContain("박물관 입장권은 12유로입니다.");
    expect(system.length).toBeLessThan(run.demo.instructions.length + 6_500);
    expect(await run.searches()).toBe(1);
  });
});

test("a short document is given to a chat model completely", async () => {
  const chat = await runChatServer(streams(saying("ok")));
  const run = await withDocument();
  await run.putChatModel("chat", chat.url);
  const fields = { capability: ["LLM"], llm_type: "chat", prompt: run.demo.id, document: run.id };
  await run.ask(await run.session(fields), "Hello");
  expect(chat.requests[0]?.body.messages[0]?.content).toBe(
    `${run.demo.instructions}\n\nPassages from the documents you were given:\n\nMuseum guide\n\n${museum}`,
  );
});

test("a prompt that requires a document refuses sessions without one", async () => {
  const run = await withDocument();
  await run.putPrompt("guide", { require_document: true });
  const response = await run.send("POST", "/api/v1/session/", { ...retrieval, prompt: "guide" });
  expect(response.status).toBe(400);
  expect(((await response.json()) as ErrorBody).errors).toEqual([
    { code: "required", detail: 'The prompt "guide" requires a document.', attr: "document" },
  ]);
  await run.session({ ...retrieval, prompt: "guide", document: run.id });
});

test("a conversation continues without a document that was removed", async () => {
  const run = await withDocument();
  const session = await run.session({ ...retrieval, prompt: run.demo.id, document: run.id });
  await run.store.catalogue.remove("document", run.organizationId, run.id);
  expect(saidBy(await run.ask(session, "What do tickets cost?"))).toMatch(/^I don't have an answer/);
});

test.each([
  ["", "no_text"],
  [" \n-- ", "no_text"],
  ["x".repeat(1_000_001), "too_long"],
])("%.10j is no document: %s", async (text, code) => {
  await expect(withDocument(text)).rejects.toMatchObject({ code });
});
