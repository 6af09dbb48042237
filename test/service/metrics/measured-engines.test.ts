import { expect, test } from "vitest";
import { measuredEngines } from "../../../src/service/metrics/measured-engines.ts";
import type { EngineOutcome } from "../../../src/service/metrics/metrics.ts";
import type { SpeechRecognizer } from "../../../src/service/speech/speech-recognizer.ts";

const row = {
  id: "r",
  name: "r",
  body: { name: "r", service: "onpremise" as const, options: null },
  engine: null,
  isOperators: true,
};

function measured(engine: SpeechRecognizer) {
  const outcomes: EngineOutcome[] = [];
  const none = () => null;
  const { recognizer } = measuredEngines(
    { synthesizer: none, languageModel: none, interactiveAgent: none, recognizer: () => engine },
    { engineCalled: (_kind, outcome) => void outcomes.push(outcome) },
  );
  return { outcomes, recognizer: recognizer(row)! };
}

const whole: SpeechRecognizer = {
  recognize: () => Promise.resolve({ text: "whole", locale: null }),
  close: () => Promise.resolve(),
};

test("a recognizer without streams has none when it is measured", () => {
  expect(measured(whole).recognizer.openStream).toBeUndefined();
});

test("of a stream, its end is measured: its outcome and no piece", async () => {
  const written: number[] = [];
  const { recognizer, outcomes } = measured({
    ...whole,
    openStream: ({ onPartial }) => ({
      write(pcm) {
        written.push(pcm.length);
        onPartial("how");
      },
      end: () => Promise.resolve({ text: "how are you", locale: "en" }),
    }),
  });
  const partials: string[] = [];
  const stream = recognizer.openStream!({ sampleRateHz: 16_000, onPartial: (text) => partials.push(text) });
  stream.write(new Int16Array(160));
  expect([written, partials, outcomes]).toEqual([[160], ["how"], []]);
  expect((await stream.end()).text).toBe("how are you");
  expect(outcomes).toEqual(["ok"]);
});

test("a stream that was discarded counts as aborted, and one that broke as failed", async () => {
  const { recognizer, outcomes } = measured({
    ...whole,
    openStream: () => ({ write: () => undefined, end: () => Promise.reject(new Error("ended")) }),
  });
  const open = (signal?: AbortSignal) =>
    recognizer.openStream!({ sampleRateHz: 16_000, onPartial: () => undefined, signal });
  await expect(open(AbortSignal.abort()).end()).rejects.toThrow("ended");
  await expect(open().end()).rejects.toThrow("ended");
  expect(outcomes).toEqual(["aborted", "failed"]);
});
