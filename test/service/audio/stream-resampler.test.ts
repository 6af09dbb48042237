import { describe, expect, it } from "vitest";
import { StreamResampler } from "../../../src/service/audio/resampler.ts";

const outputRateHz = 16_000;

function tone(rateHz: number, toneHz: number): Int16Array {
  return Int16Array.from({ length: rateHz / 2 }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * toneHz * index) / rateHz)),
  );
}

/** Resampled in pieces of 10 ms, as a track delivers them. */
function resampled(pcm: Int16Array, rateHz: number, pieceLength = rateHz / 100): number[] {
  const stream = new StreamResampler(rateHz, outputRateHz);
  const out: number[] = [];
  for (let at = 0; at < pcm.length; at += pieceLength)
    out.push(...stream.push(pcm.subarray(at, at + pieceLength)));
  return out;
}

function amplitude(samples: readonly number[], toneHz: number): number {
  let [sine, cosine] = [0, 0];
  samples.forEach((sample, index) => {
    sine += sample * Math.sin((2 * Math.PI * toneHz * index) / outputRateHz);
    cosine += sample * Math.cos((2 * Math.PI * toneHz * index) / outputRateHz);
  });
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

describe("resampling a stream to 16 kHz", () => {
  it.each([8_000, 16_000, 32_000, 44_100, 48_000])("keeps a tone of %i Hz audio", (rateHz) => {
    const out = resampled(tone(rateHz, 1_000), rateHz);
    expect(out.length).toBeGreaterThan(7_950);
    expect(out.length).toBeLessThanOrEqual(8_000);
    expect(amplitude(out, 1_000)).toBeGreaterThan(9_900);
    expect(amplitude(out, 1_000)).toBeLessThan(10_100);
  });

  it("has no aliases of tones above half the new rate", () => {
    const out = resampled(tone(48_000, 11_000), 48_000);
    expect(amplitude(out, 5_000)).toBeLessThan(20);
  });

  it("gives the same result for pieces of any size", () => {
    const pcm = tone(48_000, 440);
    expect(resampled(pcm, 48_000, 7)).toEqual(resampled(pcm, 48_000, pcm.length));
  });

  it("keeps the position of an impulse", () => {
    const pcm = new Int16Array(9_600);
    pcm[4_800] = 10_000;
    const out = resampled(pcm, 48_000);
    expect(out.indexOf(Math.max(...out))).toBe(1_600);
  });
});
