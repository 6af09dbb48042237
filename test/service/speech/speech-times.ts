import { expect } from "vitest";
import type { Speech } from "../../../src/service/speech/speech-synthesizer.ts";

export const durationMs = ({ pcm, sampleRateHz }: Pick<Speech, "pcm" | "sampleRateHz">): number =>
  (pcm.length * 1_000) / sampleRateHz;

/** Mouth shapes cover the whole audio, without gaps. The words are those of the text, in order and within the audio. */
export function expectTimes(
  { words, visemes }: Pick<Speech, "words" | "visemes">,
  endMs: number,
  text: string,
): void {
  expect(visemes[0]!.start).toBe(0);
  expect(visemes.at(-1)!.end).toBeCloseTo(endMs, 3);
  visemes.slice(1).forEach(({ start }, index) => expect(start).toBeCloseTo(visemes[index]!.end, 6));
  expect(words.map((word) => word.text)).toEqual(text === "" ? [] : text.split(" "));
  let before = 0;
  for (const { start, end } of words) {
    expect(start).toBeGreaterThanOrEqual(before);
    expect(end).toBeGreaterThanOrEqual(start);
    before = end;
  }
  expect(before).toBeLessThanOrEqual(endMs);
}
