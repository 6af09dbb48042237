import { beforeEach, expect, it } from "vitest";
import type { Recording, RecordingOutcome } from "../../../../src/service/media/media-engine.ts";
import { MicrophoneRecording } from "../../../../src/service/media/hearing/microphone-recording.ts";
import { PauseWords } from "../../../../src/service/media/hearing/pause-words.ts";

interface Asked {
  readonly recording: Recording;
  answer(outcome: RecordingOutcome): void;
  abandoned: boolean;
}

let asked: Asked[];
let told: string[];
let pauses: PauseWords;
let recording: MicrophoneRecording;

beforeEach(() => {
  asked = [];
  told = [];
  pauses = new PauseWords({
    recognize(wanted) {
      let answer: Asked["answer"] = () => undefined;
      const outcome = new Promise<RecordingOutcome>((resolve) => (answer = resolve));
      const one: Asked = { recording: wanted, answer, abandoned: false };
      asked.push(one);
      return { outcome, abandon: () => (one.abandoned = true) };
    },
    onWords: (text) => told.push(text),
    guard: (handler) => handler,
  });
  recording = new MicrophoneRecording();
  pauses.begin(recording, "en");
});

/** So much is recorded, in ms. */
function record(ms: number, isVoice: boolean): void {
  for (let at = 0; at < ms; at += 10) {
    recording.take({ samples: new Int16Array(160), sampleRate: 16_000, channelCount: 1 });
    pauses.handleHeard(isVoice);
  }
}

/** The recognizer's answer to the last question, and everything that follows from it. */
async function answered(outcome: RecordingOutcome): Promise<void> {
  asked.at(-1)?.answer(outcome);
  await new Promise((resolve) => setTimeout(resolve));
}

it("recognizes the recording once in a pause, and tells its words", async () => {
  record(600, true);
  record(300, false);
  expect(asked.map((one) => one.recording)).toEqual([
    expect.objectContaining({ language: "en", isSpeculative: true, sampleRateHz: 16_000 }),
  ]);
  // The resampler holds the last samples back.
  expect(Math.round((asked[0]?.recording.pcm.length ?? 0) / 160)).toBe(61);
  await answered({ ok: true, text: "how much is it" });
  expect(told).toEqual(["how much is it"]);
});

it("gives the text to the end of the recording, if it comes in the same pause", async () => {
  record(600, true);
  record(100, false);
  const text = pauses.end("en");
  await answered({ ok: true, text: "how much is it" });
  expect(await text?.outcome).toEqual({ ok: true, text: "how much is it" });
  expect([asked[0]?.abandoned, told]).toEqual([false, []]);
});

it("discards the text of a visitor who goes on, and recognizes the next pause", async () => {
  record(600, true);
  record(100, false);
  record(300, true);
  expect(asked[0]?.abandoned).toBe(true);
  await answered({ ok: true, text: "how much" });
  expect([pauses.end("en"), told]).toEqual([undefined, []]);
  pauses.begin(recording, "en");
  record(400, true);
  record(100, false);
  expect(asked).toHaveLength(2);
});

it.each([
  ["a short sound", 150],
  ["more than 20 s", 21_000],
])("recognizes nothing after %s", (_name, ms) => {
  record(ms, true);
  record(300, false);
  expect(asked).toEqual([]);
});

it("recognizes at most three pauses of a recording", () => {
  for (let pause = 0; pause < 6; pause++) {
    record(400, true);
    record(100, false);
  }
  expect(asked).toHaveLength(3);
});

it("keeps nothing for a recording that ends in another language, or is dropped", () => {
  record(600, true);
  record(100, false);
  expect(pauses.end("ko")).toBeUndefined();
  expect(asked[0]?.abandoned).toBe(true);
  pauses.begin(recording, undefined);
  record(600, true);
  record(100, false);
  pauses.drop();
  expect(asked[1]?.abandoned).toBe(true);
});
