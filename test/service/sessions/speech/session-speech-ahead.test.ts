import { expect, test, vi } from "vitest";
import type { LanguageModel } from "../../../../src/service/language/language-model.ts";
import type { SpeechRequest, SpeechSynthesizer } from "../../../../src/service/speech/speech-synthesizer.ts";
import { runService } from "../../service-fixture.ts";

const answer = ["We deliver to Austria. ", "It takes a week."];
const model: LanguageModel = {
  async *answer() {
    for (const content of answer) {
      await Promise.resolve();
      yield { status: "success", type: "message", role: "assistant", content };
    }
  },
};

/** A voice that records its requests, and fails. */
function notingVoice(remembers: boolean): { asked: SpeechRequest[]; synthesizer: () => SpeechSynthesizer } {
  const asked: SpeechRequest[] = [];
  const voice: SpeechSynthesizer = {
    voices: ["slt"],
    remembers,
    synthesize(request) {
      asked.push(request);
      return Promise.reject(new Error("No voice today."));
    },
    close: () => Promise.resolve(),
  };
  return { asked, synthesizer: () => voice };
}

/** The texts that were requested from a voice while a turn was answered. */
async function ask(
  remembers: boolean,
  fields: Record<string, unknown> = {},
  more: Record<string, unknown> = {},
): Promise<SpeechRequest[]> {
  const { asked, synthesizer } = notingVoice(remembers);
  const run = await runService({ languageModel: () => model, synthesizer });
  const path = `/api/v1/session/${await run.newSession(fields)}/llm/v2/`;
  const messages = [{ role: "user", content: "Austria?" }];
  const response = await run.send("POST", path, { messages, ...more });
  expect((await response.text()).match(/"type":"message"/g)).toHaveLength(2);
  return asked;
}

test("the first piece of an answer is synthesized ahead, even if that fails", async () => {
  const asked = await ask(true);
  await vi.waitFor(() => expect(asked.map(({ text }) => text)).toEqual([answer[0]]));
});

test("a voice without a cache is not asked twice", async () => {
  expect(await ask(false)).toEqual([]);
});

test("nothing is synthesized ahead for a session without avatar video", async () => {
  expect(await ask(true, { capability: ["LLM", "TTS"] })).toEqual([]);
});

test("a normalized text is not normalized again", async () => {
  expect(await ask(true, { text_normalization_config: "visavis-english" })).toEqual([]);
});

test("the first piece of an answer that begins early is synthesized then, once", async () => {
  const { asked, synthesizer } = notingVoice(true);
  const run = await runService({ languageModel: () => model, synthesizer });
  const path = `/api/v1/session/${await run.newSession()}/llm/v2/`;
  const question = { messages: [{ role: "user", content: "Austria?" }] };
  expect((await run.send("POST", `${path}early/`, question)).status).toBe(204);
  await vi.waitFor(() => expect(asked.map(({ text }) => text)).toEqual([answer[0]]));
  const answered = await run.send("POST", path, question);
  expect((await answered.text()).match(/"type":"message"/g)).toHaveLength(2);
  expect(asked).toHaveLength(1);
});

test("the first piece is synthesized ahead at the rate that the client will ask for", async () => {
  const asked = await ask(true, {}, { speech_rate: 1.5 });
  await vi.waitFor(() => expect(asked.map(({ rate }) => rate)).toEqual([1.5]));
});
