import { describe, expect, it } from "vitest";
import { evenLoudness, integratedLoudness, truePeakDb } from "../../../src/service/audio/loudness.ts";

function sine(rateHz: number, seconds: number, hz: number, level = 1, phase = 0): Float32Array {
  return Float32Array.from(
    { length: rateHz * seconds },
    (_, i) => level * Math.sin((2 * Math.PI * hz * i) / rateHz + phase),
  );
}

function floats(pcm: Int16Array): Float32Array {
  return Float32Array.from(pcm, (sample) => sample / 32_768);
}

/** Syllables of a tone with pauses and a few high peaks. */
function speechLike(rateHz: number, level: number): Int16Array {
  return Int16Array.from({ length: rateHz * 4 }, (_, i) => {
    const seconds = i / rateHz;
    const syllable = Math.max(0, Math.sin(2 * Math.PI * 3 * seconds)) * (seconds % 2 < 1.5 ? 1 : 0);
    const peak = i % Math.round(rateHz / 7) < 12 ? 2.4 : 1;
    return Math.max(
      -32_768,
      Math.min(32_767, level * syllable * peak * Math.sin(2 * Math.PI * 190 * seconds)),
    );
  });
}

describe("loudness", () => {
  it.each([48_000, 44_100, 22_050, 16_000])("of a full sine of 997 Hz at %i Hz is -3 LUFS", (rateHz) => {
    expect(integratedLoudness(sine(rateHz, 3, 997), rateHz)).toBeCloseTo(-3.01, 0);
    expect(integratedLoudness(sine(rateHz, 3, 997, 0.1), rateHz)).toBeCloseTo(-23.01, 0);
  });

  it("leaves pauses out", () => {
    const tone = sine(16_000, 2, 997, 0.1);
    const paused = new Float32Array(tone.length * 3);
    paused.set(tone);
    paused.set(tone, tone.length * 2);
    expect(integratedLoudness(paused, 16_000)).toBeCloseTo(integratedLoudness(tone, 16_000), 0);
  });

  it("of silence and of nothing is minus infinity", () => {
    expect(integratedLoudness(new Float32Array(16_000), 16_000)).toBe(-Infinity);
    expect(integratedLoudness(new Float32Array(0), 16_000)).toBe(-Infinity);
  });
});

it("a true peak lies between the samples", () => {
  const quarter = sine(16_000, 0.2, 4_000, 1, Math.PI / 4);
  expect(Math.max(...quarter)).toBeCloseTo(Math.SQRT1_2, 2);
  expect(truePeakDb(quarter.subarray(100, -100))).toBeGreaterThan(-0.4);
});

describe("speech is made even", () => {
  it.each([
    [8_000, 300],
    [16_000, 3_000],
    [22_050, 30_000],
    [24_000, 12_000],
  ])("at %i Hz and a level of %i", (rateHz, level) => {
    const even = floats(evenLoudness(speechLike(rateHz, level), rateHz));
    expect(Math.abs(integratedLoudness(even, rateHz) + 16)).toBeLessThanOrEqual(1);
    expect(truePeakDb(even)).toBeLessThanOrEqual(-1);
  });

  it("but silence and hiss stay as they are", () => {
    expect(evenLoudness(new Int16Array(16_000), 16_000)).toEqual(new Int16Array(16_000));
    const hiss = Int16Array.from({ length: 16_000 }, (_, i) => (i % 2 === 0 ? 10 : -10));
    expect(evenLoudness(hiss, 16_000)).toBe(hiss);
    expect(evenLoudness(new Int16Array(0), 16_000)).toHaveLength(0);
  });
});
