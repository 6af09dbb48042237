import { describe, expect, it } from "vitest";
import { filterBlock, filterInto } from "../../../src/service/audio/resampler.ts";
import { blockLength, filterQuickly } from "../../../src/service/audio/filter-kernel.ts";
import { polyphaseFilter, type PolyphaseFilter } from "../../../src/service/audio/polyphase-filter.ts";

/** Loud noise, the same in every run. */
function noise(length: number): Int16Array {
  let state = 1;
  return Int16Array.from({ length }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return (state >> 15) - 32_768;
  });
}

const pcm = noise(4_000);

/** The largest difference between the two ways, for blocks all over the sound and beyond both of its ends. */
function difference(filter: PolyphaseFilter, count = blockLength): number {
  const [quick, plain] = [new Int16Array(count), new Int16Array(count)];
  let most = 0;
  for (let place = 0; place < (pcm.length + 200) * filter.phases; place += 997 * filter.step) {
    expect(filterQuickly(quick, pcm, place, filter)).toBe(true);
    filterBlock(plain, pcm, place, filter);
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
    expect(filterQuickly(out, pcm, 0, filter)).toBe(false);
    filterInto(out, pcm, 0, filter);
    expect(out.some((sample) => sample !== 0)).toBe(true);
  });
});
