import { expect, test } from "vitest";
import type { Speech } from "../../../../src/service/speech/speech-synthesizer.ts";
import { trimmedSpeech } from "../../../../src/service/speech/synthesis/speech-samples.ts";

/** 300 ms of silence, 500 ms of sound, 600 ms of silence; at 10 samples a ms. */
const speech: Speech = {
  sampleRateHz: 10_000,
  pcm: Int16Array.from({ length: 14_000 }, (_, i) => (i >= 3_000 && i < 8_000 ? 9_000 : 0)),
  words: [{ text: "Hello", start: 300, end: 800 }],
  visemes: [
    { viseme: "sil", start: 0, end: 300 },
    { viseme: "aa", start: 300, end: 800 },
    { viseme: "sil", start: 800, end: 1_400 },
  ],
};

test("long silence at the ends is cut, and the times move with the sound", () => {
  const trimmed = trimmedSpeech(speech);
  expect(trimmed.pcm).toHaveLength(7_200);
  expect(trimmed.words).toEqual([{ text: "Hello", start: 20, end: 520 }]);
  expect(trimmed.visemes).toEqual([
    { viseme: "sil", start: 0, end: 20 },
    { viseme: "aa", start: 20, end: 520 },
    { viseme: "sil", start: 520, end: 720 },
  ]);
});

test("audio that begins or ends within a sound is faded over 20 ms, so that no click is heard", () => {
  const { pcm } = trimmedSpeech({ ...speech, pcm: new Int16Array(5_000).fill(9_000) });
  expect([pcm[0], pcm.at(-1)]).toEqual([0, 0]);
  expect(Math.max(...pcm.map((sample, i) => Math.abs(sample - (pcm[i - 1] ?? 0))))).toBeLessThan(50);
  expect([pcm[199]! < 9_000, pcm[200], pcm[4_799], pcm[4_800]! < 9_000]).toEqual([true, 9_000, 9_000, true]);
});

test("silence stays as it is", () => {
  const still = { ...speech, pcm: new Int16Array(100), words: [], visemes: [] };
  expect(trimmedSpeech(still)).toBe(still);
});
