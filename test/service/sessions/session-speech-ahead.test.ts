import { expect, test, vi } from "vitest";
import type { LanguageModel } from "../../../src/service/language/language-model.ts";
import type { SpeechRequest, SpeechSynthesizer } from "../../../src/service/speech/speech-synthesizer.ts";
import { runService } from "../service-fixture.ts";

const answer = ["We deliver to Austria. ", "It takes a week."];
const model: LanguageModel = {
  async *answer() {
    for (const content of answer) {
      await Promise.resolve();
      yield { status: "success", type: "message", role: "assistant", content };
    }
  },
};

/** A voice that notes what it is asked for, and fails at it. */
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

/** The texts that a voice was asked for while a turn was answered. */
async function ask(remembers: boolean, fields: Record<string, unknown> = {}): Promise<SpeechRequest[]> {
  const { asked, synthesizer } = notingVoice(remembers);
  const run = await runService({ languageModel: () => model, synthesizer });
  const path = `/api/v1/session/${await run.newSession(fields)}/llm/v2/`;
  const response = await run.send("POST", path, { messages: [{ role: "user", content: "Austria?" }] });
  expect((await response.text()).match(/"type":"message"/g)).toHaveLength(2);
  return asked;
}

test("the first piece of an answer is spoken ahead, whatever comes of it", async () => {
  const asked = await ask(true);
  await vi.waitFor(() => expect(asked.map(({ text }) => text)).toEqual([answer[0]]));
});

test("a voice that keeps nothing is not asked twice", async () => {
  expect(await ask(false)).toEqual([]);
});

test("a session that streams no avatar is not spoken ahead", async () => {
  expect(await ask(true, { capability: ["LLM", "TTS"] })).toEqual([]);
});

test("a text that is normalized first is not normalized twice", async () => {
  expect(await ask(true, { text_normalization_config: "visavis-english" })).toEqual([]);
});
