import { join } from "node:path";
import { expect, test } from "vitest";
import { addDocument, withOrigin } from "../../../src/service/sessions/documents.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { answerEvents } from "../answer-events.ts";
import { runEngines } from "../engines-fixture.ts";
import { temporaryFolder } from "../service-fixture.ts";

const text = "# Care\n\nOil the table twice a year.";

test("an answer says which document it is from, unless its owner does not want that", async () => {
  const folder = temporaryFolder();
  const run = await runEngines({ folder });
  const files = openFolderFiles(join(folder, "files"));
  const document = await addDocument(
    { store: run.store, files, clock: { nowMs: () => 0 } },
    { organizationId: run.organizationId, title: "Care of wood", text },
  );
  const { name, tts_type, model_style, id } = run.demo;
  const answered = async (embed_config: object) => {
    const settings = { name, tts_type, model_style, embed_config: { document, ...embed_config } };
    expect((await run.send("PUT", `/api/console/b2c/contexts/${id}/`, settings)).status).toBe(200);
    const session = await run.session({
      capability: ["LLM"],
      llm_type: "visavis-retrieval",
      prompt: id,
      extra_data: { context_id: "ctx_demo" },
    });
    const messages = [{ role: "user", content: "How often should I oil the table?" }];
    return answerEvents(await run.send("POST", `/api/v1/session/${session}/llm/v2/`, { messages }));
  };
  const sources = [
    {
      title: "Care of wood",
      passage: "Oil the table twice a year.",
      quotes: ["Oil the table twice a year."],
    },
  ];
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
