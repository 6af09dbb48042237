import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { polyphaseFilter } from "../../../src/service/audio/polyphase-filter.ts";
import { Resampler } from "../../../src/service/audio/resampler.ts";
import { collectGarbage } from "../../../src/service/collect-garbage.ts";

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

  it.each([11_025, 47_999, 48_001, 44_101, 96_001])("adds no noise to a tone of %i Hz audio", (rateHz) => {
    const out = resampled(tone(rateHz, 3_000, 1), rateHz).subarray(480, -480);
    const strength = amplitude(out, 3_000);
    const power = out.reduce((sum, sample) => sum + sample ** 2, 0) / out.length;
    const noise = Math.sqrt(Math.max(0, power - strength ** 2 / 2));
    expect(strength).toBeCloseTo(10_000, -2);
    expect(20 * Math.log10(noise / (strength / Math.SQRT2))).toBeLessThan(-60);
  });
});

describe("a filter", () => {
  it("is small for every rate that a file may have", () => {
    for (const rateHz of [4_001, 44_101, 47_999, 191_999, 383_999])
      expect(polyphaseFilter(rateHz, 48_000).taps.byteLength).toBeLessThan(2 * 1024 * 1024);
  });

  it("is not kept for each of many rates", async () => {
    const pcm = new Int16Array(480);
    // Memory of arrays is freed a moment after their collection.
    const held = async (): Promise<number> => {
      collectGarbage();
      await setImmediate();
      collectGarbage();
      return process.memoryUsage().arrayBuffers;
    };
    const before = await held();
    for (let rateHz = 300_001; rateHz < 300_081; rateHz += 2) resampled(pcm, rateHz);
    expect((await held()) - before).toBeLessThan(30_000_000);
  });
});
