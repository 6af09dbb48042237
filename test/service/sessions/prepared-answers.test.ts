import { join } from "node:path";
import { expect, it } from "vitest";
import { createKnowledge, changeKnowledge } from "../../../src/service/administration/knowledge/knowledge.ts";
import { addDocument } from "../../../src/service/sessions/documents.ts";
import { keepUnitIndexes } from "../../../src/service/knowledge/matching/unit-index.ts";
import type { ReadableDocument } from "../../../src/service/knowledge/reading/unit.ts";
import { createLanguageModels } from "../../../src/service/language/create-language-models.ts";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { openFolderFiles } from "../../../src/service/store/files/folder-files.ts";
import { type Logger, silentLogger } from "../../../src/logging/logger.ts";
import { runService, temporaryFolder } from "../service-fixture.ts";

const hours = "We are open from 9 to 17.";
const clock = { nowMs: () => 0 };

/** The service with its own answers, which notes the texts of each real indexing, and its warnings. */
async function runIndexing(isBroken = false) {
  const kept = keepUnitIndexes();
  const indexed: string[] = [];
  const known = new Set<Promise<unknown>>();
  const indexOf = (documents: readonly ReadableDocument[]) => {
    if (isBroken) throw new Error("No index.");
    const index = kept(documents);
    if (!known.has(index)) indexed.push(documents.map(({ text }) => text).join("\n"));
    known.add(index);
    return index;
  };
  const warnings: string[] = [];
  const log: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  const models = createLanguageModels({
    log,
    outbound: createOutboundCalls({ allowPrivate: true }),
    indexOf,
  });
  const folder = temporaryFolder();
  const run = await runService({ folder, log, indexOf, languageModel: (row) => models.model(row) });
  const { store, organizationId } = run;
  const parts = { store, files: openFolderFiles(join(folder, "files")), clock, indexOf, log };
  const addHours = () => addDocument(parts, { organizationId, title: "Hours", text: hours });
  return { ...run, parts, addHours, indexed, warnings };
}

it("indexes documents when a session starts, once for all sessions", async () => {
  const { addHours, newSession, indexed, warnings } = await runIndexing();
  const document = await addHours();
  expect(indexed).toEqual([]);
  const fields = { llm_type: "visavis-retrieval", document };
  await Promise.all([newSession(fields), newSession(fields)]);
  await expect.poll(() => indexed).toContainEqual(expect.stringContaining(hours));
  expect(new Set(indexed).size).toBe(indexed.length);
  expect(warnings).toEqual([]);
});

it("only logs that a session's documents cannot be indexed", async () => {
  const { addHours, newSession, warnings } = await runIndexing(true);
  const document = await addHours();
  expect(await newSession({ llm_type: "visavis-retrieval", document })).toMatch(/^[0-9a-f]{40}$/);
  await expect.poll(() => warnings).toEqual(["a session's answers were not prepared"]);
});

it("indexes an avatar's documents when their texts change", async () => {
  const { parts, organizationId, demo, indexed } = await runIndexing();
  const edit = { organizationId, by: "Ann" };
  const added = { title: "Hours", text: hours, contexts: [demo.id], details: { source: "text" as const } };
  const { id } = await createKnowledge(parts, edit, added);
  await expect.poll(() => indexed.at(-1)).toContain(hours);
  await changeKnowledge(parts, edit, id, { title: "Hours", text: "We are open from 8 to 12." });
  await expect.poll(() => indexed.at(-1)).toContain("from 8 to 12");
});
