import { setImmediate } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { blockLength, filterQuickly } from "../../../src/service/audio/filter-kernel.ts";
import { polyphaseFilter, type PolyphaseFilter } from "../../../src/service/audio/polyphase-filter.ts";
import { filterBlock, filterInto, Resampler, StreamResampler } from "../../../src/service/audio/resampler.ts";
import { collectGarbage } from "../../../src/service/collect-garbage.ts";

function tone(rateHz: number, toneHz: number, seconds = 0.5): Int16Array {
  return Int16Array.from({ length: rateHz * seconds }, (_, index) =>
    Math.round(10_000 * Math.sin((2 * Math.PI * toneHz * index) / rateHz)),
  );
}

/** Silence with one loud sample in its middle. */
const impulse = (length: number): Int16Array =>
  new Int16Array(length).fill(10_000, length / 2, length / 2 + 1);

/** Strength of one frequency by correlation, in units of amplitude. */
function amplitude(samples: ArrayLike<number>, toneHz: number, rateHz: number): number {
  let [sine, cosine] = [0, 0];
  for (let index = 0; index < samples.length; index++) {
    sine += samples[index]! * Math.sin((2 * Math.PI * toneHz * index) / rateHz);
    cosine += samples[index]! * Math.cos((2 * Math.PI * toneHz * index) / rateHz);
  }
  return (2 * Math.hypot(sine, cosine)) / samples.length;
}

function resampled(pcm: Int16Array, rateHz: number): Int16Array {
  const audio = new Resampler(pcm, rateHz);
  const out = new Int16Array(audio.length);
  audio.read(0, out);
  return out;
}

describe("resampling to 48 kHz", () => {
  it.each([8_000, 16_000, 22_050, 24_000, 44_100, 48_000])("keeps a tone of %i Hz audio exact", (rateHz) => {
    const out = resampled(tone(rateHz, 1_000), rateHz);
    expect(out.length).toBe(24_000);
    expect(amplitude(out, 1_000, 48_000)).toBeCloseTo(10_000, -2);
  });

  it("adds no mirror image of the tone", () => {
    const out = resampled(tone(16_000, 3_000), 16_000);
    expect(amplitude(out, 13_000, 48_000)).toBeLessThan(20);
    expect(amplitude(out, 19_000, 48_000)).toBeLessThan(20);
  });

  it("keeps the position of an impulse", () => {
    const out = resampled(impulse(1_600), 16_000);
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
    const strength = amplitude(out, 3_000, 48_000);
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

/** Resampled in pieces of 10 ms, as a track delivers them. */
function streamed(pcm: Int16Array, rateHz: number, pieceLength = rateHz / 100): number[] {
  const stream = new StreamResampler(rateHz, 16_000);
  const out: number[] = [];
  for (let at = 0; at < pcm.length; at += pieceLength)
    out.push(...stream.push(pcm.subarray(at, at + pieceLength)));
  return out;
}

describe("resampling a stream to 16 kHz", () => {
  it.each([8_000, 16_000, 32_000, 44_100, 48_000])("keeps a tone of %i Hz audio", (rateHz) => {
    const out = streamed(tone(rateHz, 1_000), rateHz);
    expect(out.length).toBeGreaterThan(7_950);
    expect(out.length).toBeLessThanOrEqual(8_000);
    expect(Math.abs(amplitude(out, 1_000, 16_000) - 10_000)).toBeLessThan(100);
  });

  it("has no aliases of tones above half the new rate", () => {
    const out = streamed(tone(48_000, 11_000), 48_000);
    expect(amplitude(out, 5_000, 16_000)).toBeLessThan(20);
  });

  it("gives the same result for pieces of any size", () => {
    const pcm = tone(48_000, 440);
    expect(streamed(pcm, 48_000, 7)).toEqual(streamed(pcm, 48_000, pcm.length));
  });

  it("keeps the position of an impulse", () => {
    const out = streamed(impulse(9_600), 48_000);
    expect(out.indexOf(Math.max(...out))).toBe(1_600);
  });
});

/** Loud noise, the same in every run. */
function noise(length: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state >> 15) - 32_768;
  });
}

const loudNoise = noise(4_000);

/** The largest difference between the two ways, for blocks all over the sound and beyond both of its ends. */
function difference(filter: PolyphaseFilter, count = blockLength): number {
  const [quick, plain] = [new Int16Array(count), new Int16Array(count)];
  let most = 0;
  for (let place = 0; place < (loudNoise.length + 200) * filter.phases; place += 997 * filter.step) {
    expect(filterQuickly(quick, loudNoise, place, filter)).toBe(true);
    filterBlock(plain, loudNoise, place, filter);
    quick.forEach((sample, index) => (most = Math.max(most, Math.abs(sample - plain[index]!))));
  }
  return most;
}

describe("filtering with SIMD instructions", () => {
  it.each([
    [16_000, 48_000],
    [24_000, 48_000],
    [22_050, 48_000],
    [44_100, 48_000],
    [48_000, 16_000],
    [192_000, 8_000],
    [47_999, 48_000],
    [48_000, 48_000],
  ])("gives what JavaScript gives: %i Hz to %i Hz", (from, to) => {
    const filter = polyphaseFilter(from, to);
    expect(difference(filter)).toBeLessThanOrEqual(1);
    expect(difference(filter, 7)).toBeLessThanOrEqual(1);
  });

  it("keeps samples that are too loud within their range", () => {
    const loud = Int16Array.from({ length: 400 }, (_, index) => (index % 40 < 20 ? 32_767 : -32_768));
    const out = new Int16Array(blockLength);
    expect(filterQuickly(out, loud, 0, polyphaseFilter(16_000, 48_000))).toBe(true);
    expect(Math.max(...out)).toBe(32_767);
    expect(Math.min(...out)).toBe(-32_768);
  });

  it("is right for more filters than there is room for, in turns", () => {
    const filters = [47_999, 47_997, 47_995, 47_993].flatMap((rate) => [
      polyphaseFilter(rate, 48_000),
      polyphaseFilter(4 * rate, 48_000),
    ]);
    for (const filter of [...filters, ...filters]) expect(difference(filter)).toBeLessThanOrEqual(1);
  });

  it("leaves a filter that is extremely large to JavaScript", () => {
    const filter = polyphaseFilter(10_000_000, 8_000);
    const out = new Int16Array(blockLength);
    expect(filterQuickly(out, loudNoise, 0, filter)).toBe(false);
    filterInto(out, loudNoise, 0, filter);
    expect(out.some((sample) => sample !== 0)).toBe(true);
  });
});
