import { describe, expect, it } from "vitest";
import { Resampler } from "../../../src/service/audio/resampler.ts";

function tone(rateHz: number, toneHz: number, seconds: number): Int16Array {
  return Int16Array.from({ length: rateHz * seconds }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * toneHz * index) / rateHz)),
  );
}

function resampled(pcm: Int16Array, rateHz: number): Int16Array {
  const audio = new Resampler(pcm, rateHz);
  const out = new Int16Array(audio.length);
  audio.read(0, out);
  return out;
}

/** Strength of one frequency by correlation, in units of amplitude. */
function amplitude(samples: Int16Array, toneHz: number): number {
  let [sine, cosine] = [0, 0];
  samples.forEach((sample, index) => {
    sine += sample * Math.sin((2 * Math.PI * toneHz * index) / 48_000);
    cosine += sample * Math.cos((2 * Math.PI * toneHz * index) / 48_000);
  });
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

describe("resampling to 48 kHz", () => {
  it.each([8_000, 16_000, 22_050, 24_000, 44_100, 48_000])("keeps a tone of %i Hz audio exact", (rateHz) => {
    const out = resampled(tone(rateHz, 1_000, 0.5), rateHz);
    expect(out.length).toBe(24_000);
    expect(amplitude(out, 1_000)).toBeCloseTo(10_000, -2);
  });

  it("adds no mirror image of the tone", () => {
    const out = resampled(tone(16_000, 3_000, 0.5), 16_000);
    expect(amplitude(out, 13_000)).toBeLessThan(20);
    expect(amplitude(out, 19_000)).toBeLessThan(20);
  });

  it("keeps the position of an impulse", () => {
    const pcm = new Int16Array(1_600);
    pcm[800] = 10_000;
    const out = resampled(pcm, 16_000);
    expect(out.indexOf(Math.max(...out))).toBe(2_400);
  });

  it("gives the same result in pieces as in one call", () => {
    const pcm = tone(16_000, 440, 0.1);
    const audio = new Resampler(pcm, 16_000);
    const pieces: number[] = [];
    const chunk = new Int16Array(480);
    for (let position = 0; position < audio.length;) {
      const count = audio.read(position, chunk);
      pieces.push(...chunk.subarray(0, count));
      position += count;
    }
    expect(pieces).toEqual([...resampled(pcm, 16_000)]);
  });
});
