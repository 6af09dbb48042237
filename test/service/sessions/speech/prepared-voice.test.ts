import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { silentLogger } from "../../../../src/logging/logger.ts";
import {
  changeKnowledge,
  createKnowledge,
} from "../../../../src/service/administration/knowledge/knowledge.ts";
import { keepUnitIndexes } from "../../../../src/service/knowledge/matching/unit-index.ts";
import type { ReadableDocument } from "../../../../src/service/knowledge/reading/unit.ts";
import { createLanguageModels } from "../../../../src/service/language/create-language-models.ts";
import type { LanguageModel } from "../../../../src/service/language/language-model.ts";
import { createOutboundCalls } from "../../../../src/service/outbound/outbound-calls.ts";
import { addDocument } from "../../../../src/service/sessions/documents.ts";
import type { SpeechRequest, SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";
import { openFolderFiles } from "../../../../src/service/store/files/folder-files.ts";
import { runRelay } from "../../../relay/relay-fixture.ts";
import { jsonOf, statusOf } from "../../answers.ts";
import { runService, temporaryFolder } from "../../service-fixture.ts";

/** A voice that notes how often it was prepared, what it is to say first and what it was asked to say, which fails. */
function notingVoice(remembers = false) {
  const noted = { prepared: 0, firsts: [] as SpeechRequest[], asked: [] as SpeechRequest[] };
  const voice: SpeechSynthesizer = {
    voices: ["slt"],
    remembers,
    prepare(first) {
      noted.prepared++;
      if (first) noted.firsts.push(first);
    },
    synthesize(request) {
      noted.asked.push(request);
      return Promise.reject(new Error("No voice today."));
    },
    close: () => Promise.resolve(),
  };
  return Object.assign(noted, { synthesizer: () => voice });
}

const byKey = (key: string): string => `/api/console/b2c/contexts/?context_id=${key}`;

describe("a voice is prepared", () => {
  it("for nobody, before somebody comes", async () => {
    const voice = notingVoice();
    const { get } = await runService({ synthesizer: voice.synthesizer });
    for (const path of ["/api/console/b2c/contexts/", byKey("ctx_none")]) await jsonOf(get(path));
    expect(voice.prepared).toBe(0);
  });

  it("without a greeting that it would have to speak again, when a page asks for its context", async () => {
    const voice = notingVoice();
    await jsonOf((await runService({ synthesizer: voice.synthesizer })).get(byKey("ctx_demo")));
    await expect.poll(() => voice.prepared).toBe(1);
    expect(voice.firsts).toEqual([]);
  });

  it.each(["/launcher", ""])("when a page asks the relay for the context%s", async (path) => {
    const voice = notingVoice();
    const { get } = await runRelay({}, { synthesizer: voice.synthesizer });
    await jsonOf(get(`/embed/v1/contexts/ctx_demo${path}`));
    await expect.poll(() => voice.prepared).toBe(1);
  });

  it("with the greeting as it will be said, where it keeps its speech", async () => {
    const voice = notingVoice(true);
    const run = await runService({ synthesizer: voice.synthesizer });
    const manner = { rate: 1.1, pitch: 0.9 };
    await run.configure({ voice: manner }, { greeting: "Hello, I'm **Mara**." });
    await jsonOf(run.get(byKey("ctx_demo")));
    const first = { text: "Hello, I'm Mara.", voice: "slt", ...manner };
    await expect.poll(() => voice.firsts).toEqual([first]);
  });

  it("when a session is created", async () => {
    const voice = notingVoice();
    expect(await (await runService({ synthesizer: voice.synthesizer })).newSession()).toMatch(
      /^[0-9a-f]{40}$/,
    );
    await expect.poll(() => voice.prepared).toBe(1);
  });

  it("only if it can be: answers are as usual otherwise", async () => {
    const synthesizer = () => {
      throw new Error("There is no such engine.");
    };
    expect(await statusOf((await runService({ synthesizer })).get(byKey("ctx_demo")))).toBe(200);
  });
});

describe("the first piece of an answer", () => {
  const pieces = ["We deliver to Austria. ", "It takes a week."];
  const model: LanguageModel = {
    async *answer() {
      for (const content of pieces)
        yield await Promise.resolve({ status: "success", type: "message", role: "assistant", content });
    },
  };
  const question = { messages: [{ role: "user", content: "Austria?" }] };

  /** A session of a voice that notes its requests. */
  async function session(remembers: boolean, fields: Record<string, unknown> = {}) {
    const { asked, synthesizer } = notingVoice(remembers);
    const run = await runService({ languageModel: () => model, synthesizer });
    const path = `/api/v1/session/${await run.newSession(fields)}/llm/v2/`;
    return {
      asked,
      begin: () => statusOf(run.send("POST", `${path}early/`, question)),
      ask: async (more = {}) => {
        const answer = await run.send("POST", path, { ...question, ...more });
        expect((await answer.text()).match(/"type":"message"/g)).toHaveLength(2);
      },
      expectAsked: (said: Partial<SpeechRequest>[]) =>
        vi.waitFor(() => {
          expect(asked).toHaveLength(said.length);
          expect(asked).toMatchObject(said);
        }),
    };
  }

  it("is synthesized ahead at the rate that the client will ask for, even if that fails", async () => {
    const { ask, expectAsked } = await session(true);
    await ask({ speech_rate: 1.5 });
    await expectAsked([{ text: pieces[0]!, rate: 1.5 }]);
  });

  it.each([
    ["for a voice without a cache", false, {}],
    ["for a session without avatar video", true, { capability: ["LLM", "TTS"] }],
    ["where it would be normalized again", true, { text_normalization_config: "visavis-english" }],
  ])("is not synthesized ahead %s", async (_what, remembers, fields) => {
    const { asked, ask } = await session(remembers, fields);
    await ask();
    expect(asked).toEqual([]);
  });

  it("of an answer that begins early is synthesized then, once", async () => {
    const { begin, ask, expectAsked } = await session(true);
    expect(await begin()).toBe(204);
    await expectAsked([{ text: pieces[0]! }]);
    await ask();
    await expectAsked([{ text: pieces[0]! }]);
  });
});

describe("documents are indexed", () => {
  const hours = "We are open from 9 to 17.";

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
    const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const outbound = createOutboundCalls({ allowPrivate: true });
    const models = createLanguageModels({ log, outbound, indexOf });
    const folder = temporaryFolder();
    const run = await runService({ folder, log, indexOf, languageModel: (row) => models.model(row) });
    const { store, organizationId } = run;
    const files = openFolderFiles(join(folder, "files"));
    const parts = { store, files, clock: { nowMs: () => 0 }, indexOf, log };
    const newSession = async () => {
      const document = await addDocument(parts, { organizationId, title: "Hours", text: hours });
      return () => run.newSession({ llm_type: "visavis-retrieval", document });
    };
    return { ...run, parts, newSession, indexed, warnings };
  }

  it("when a session starts, once for all sessions", async () => {
    const { newSession, indexed, warnings } = await runIndexing();
    const create = await newSession();
    expect(indexed).toEqual([]);
    await Promise.all([create(), create()]);
    await expect.poll(() => indexed).toContainEqual(expect.stringContaining(hours));
    expect(new Set(indexed).size).toBe(indexed.length);
    expect(warnings).toEqual([]);
  });

  it("only if they can be, which is logged otherwise", async () => {
    const { newSession, warnings } = await runIndexing(true);
    expect(await (await newSession())()).toMatch(/^[0-9a-f]{40}$/);
    await expect.poll(() => warnings).toEqual(["a session's answers were not prepared"]);
  });

  it("when the texts of an avatar's documents change", async () => {
    const { parts, organizationId, demo, indexed } = await runIndexing();
    const edit = { organizationId, by: "Ann" };
    const details = { source: "text" as const };
    const added = { title: "Hours", text: hours, contexts: [demo.id], details };
    const { id } = await createKnowledge(parts, edit, added);
    await expect.poll(() => indexed.at(-1)).toContain(hours);
    await changeKnowledge(parts, edit, id, { title: "Hours", text: "We are open from 8 to 12." });
    await expect.poll(() => indexed.at(-1)).toContain("from 8 to 12");
  });
});
