import { expect, test } from "vitest";
import { speechOnlyRecognizer } from "../../../src/service/speech/create-speech-engines.ts";
import type {
  RecognitionRequest,
  SpeechRecognizer,
  SpeechSpan,
} from "../../../src/service/speech/speech-recognizer.ts";

const closes = () => Promise.resolve();

function heardBy(speechIn: () => Promise<SpeechSpan[]>) {
  const heard: RecognitionRequest[] = [];
  const warnings: string[] = [];
  const engine: SpeechRecognizer = {
    recognize(request) {
      heard.push(request);
      return Promise.resolve({ text: "hello", locale: "en" });
    },
    close: closes,
  };
  const log = { warn: (message: string) => void warnings.push(message) };
  return { heard, warnings, recognizer: speechOnlyRecognizer(engine, { speechIn, close: closes }, log) };
}

const recording = { pcm: Int16Array.from({ length: 4_000 }, (_, at) => at), sampleRateHz: 1_000 };

test("the recognizer gets the speech with 300 ms before and after it", async () => {
  const spans = [
    { startMs: 1_000, endMs: 1_500 },
    { startMs: 1_900, endMs: 2_000 },
  ];
  const { recognizer, heard } = heardBy(() => Promise.resolve(spans));
  await recognizer.recognize({ ...recording, language: "en" });
  expect([heard[0]!.pcm[0], heard[0]!.pcm.at(-1)]).toEqual([700, 2_299]);
  expect(heard[0]!.language).toBe("en");
});

test("speech at the ends of a recording is not cut off", async () => {
  const { recognizer, heard } = heardBy(() => Promise.resolve([{ startMs: 100, endMs: 3_900 }]));
  await recognizer.recognize(recording);
  expect(heard[0]!.pcm).toHaveLength(4_000);
});

test("when voice activity fails, the recognizer gets the whole recording, and the log says so", async () => {
  const { recognizer, heard, warnings } = heardBy(() => Promise.reject(new Error("no model")));
  expect((await recognizer.recognize(recording)).text).toBe("hello");
  expect(heard[0]!.pcm).toHaveLength(4_000);
  expect(warnings).toEqual(["voice activity failed"]);
});

test("an aborted request is not recognized", async () => {
  const { recognizer, heard } = heardBy(() => Promise.reject(new Error("aborted")));
  const signal = AbortSignal.abort(new Error("hung up"));
  await expect(recognizer.recognize({ ...recording, signal })).rejects.toThrow("hung up");
  expect(heard).toEqual([]);
});
