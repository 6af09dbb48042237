import { polyphaseFilter } from "./polyphase-filter.ts";

/** A second-order filter: y = b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂. */
interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

/** The two filters of the K weighting (ITU-R BS.1770-5, Annex 1), for any sample rate. */
function kWeighting(sampleRateHz: number): readonly [shelf: Biquad, highPass: Biquad] {
  return [shelf(sampleRateHz), highPass(sampleRateHz)];
}

/** The head's effect: about 4 dB more above 1.7 kHz. */
function shelf(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 1681.974450955533) / sampleRateHz);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const middle = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  return {
    b0: (high + (middle * k) / q + k * k) / a0,
    b1: (2 * (k * k - high)) / a0,
    b2: (high - (middle * k) / q + k * k) / a0,
    a1: (2 * (k * k - 1)) / a0,
    a2: (1 - k / q + k * k) / a0,
  };
}

/** Less below 40 Hz. */
function highPass(sampleRateHz: number): Biquad {
  const k = Math.tan((Math.PI * 38.13547087602444) / sampleRateHz);
  const q = 0.5003270373238773;
  const a0 = 1 + k / q + k * k;
  return { b0: 1, b1: -2, b2: 1, a1: (2 * (k * k - 1)) / a0, a2: (1 - k / q + k * k) / a0 };
}

function filtered(samples: Float32Array, { b0, b1, b2, a1, a2 }: Biquad): Float32Array {
  let [x1, x2, y1, y2] = [0, 0, 0, 0];
  return samples.map((x) => {
    const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
    [x2, x1, y2, y1] = [x1, x, y1, y];
    return y;
  });
}

const blockSec = 0.4;
const blockStep = 0.25;

/** Blocks softer than this are silence, and blocks this much softer than the rest are pauses. */
const silenceLufs = -70;
const pauseLu = 10;

const lufsOf = (power: number): number => -0.691 + 10 * Math.log10(power);

/**
 * The integrated loudness of mono audio (samples −1…1) in LUFS, by ITU-R BS.1770-5: silence and pauses do not count. Audio that is
 * shorter than a block of 0.4 s counts as one block. −Infinity for silence.
 */
export function integratedLoudness(samples: Float32Array, sampleRateHz: number): number {
  const [first, second] = kWeighting(sampleRateHz);
  const powers = blockPowers(filtered(filtered(samples, first), second), sampleRateHz);
  const heard = powers.filter((power) => lufsOf(power) > silenceLufs);
  const gate = lufsOf(mean(heard)) - pauseLu;
  return lufsOf(mean(heard.filter((power) => lufsOf(power) > gate)));
}

/** The mean power of each block; blocks overlap by three quarters. */
function blockPowers(samples: Float32Array, sampleRateHz: number): number[] {
  const length = Math.min(samples.length, Math.round(blockSec * sampleRateHz));
  const step = Math.max(1, Math.round(length * blockStep));
  const powers: number[] = [];
  for (let at = 0; length > 0 && at + length <= samples.length; at += step)
    powers.push(mean(samples.subarray(at, at + length).map((sample) => sample * sample)));
  return powers;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i] ?? 0;
  return values.length === 0 ? 0 : sum / values.length;
}

/** Between two samples the wave is followed at three more places (ITU-R BS.1770-5, Annex 2). */
const oversampling = 4;

const between = polyphaseFilter(1, oversampling);

/** Only around samples above this share of a limit can the wave between them exceed the limit. */
const nearShare = 0.5;

/** The height of the wave between a sample (−1…1) and the next one, with that of the sample. */
function heightAfter(samples: Float32Array, index: number): number {
  const { phases, reach, taps } = between;
  let height = Math.abs(samples[index]!);
  for (let phase = 1; phase < phases; phase++) {
    let sum = 0;
    for (let tap = 0; tap < reach * 2; tap++)
      sum += (samples[index - reach + 1 + tap] ?? 0) * taps[phase * reach * 2 + tap]!;
    height = Math.max(height, Math.abs(sum));
  }
  return height;
}

/** How high the wave is after each sample; exact where it is near the limit, else the sample itself. */
function waveHeights(samples: Float32Array, limit: number): Float32Array {
  const near = limit * nearShare;
  return samples.map((sample, i) => {
    const isNear = Math.abs(sample) > near || Math.abs(samples[i + 1] ?? 0) > near;
    return isNear ? heightAfter(samples, i) : Math.abs(sample);
  });
}

/** The true peak of samples −1…1 in dB of full scale: the height of the wave, also between the samples. */
export function truePeakDb(samples: Float32Array): number {
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  const heights = waveHeights(samples, peak);
  for (const height of heights) peak = Math.max(peak, height);
  return 20 * Math.log10(peak);
}

/** The loudness of all voices, as of spoken programmes on the web. */
const speechLufs = -16;

/** The highest true peak of the limited wave, in dB; the codec may add a little. */
const ceilingDb = -1.5;

/** Softer audio is no speech, so it is not made louder. */
const leastLufs = -55;

/** The gain changes within this time before and after a peak, so that the change is not heard. */
const limiterMs = 4;

/** Limiting peaks makes speech softer, so the gain is corrected this often. */
const corrections = 3;

const nearEnoughLu = 0.25;

/** Speech at the common loudness, with peaks limited. Silence stays as it is. */
export function evenLoudness(pcm: Int16Array, sampleRateHz: number): Int16Array {
  const samples = Float32Array.from(pcm, (sample) => sample / 32_768);
  const before = integratedLoudness(samples, sampleRateHz);
  if (before < leastLufs) return pcm;
  let gainDb = speechLufs - before;
  let made = limited(amplified(samples, gainDb), sampleRateHz);
  for (let count = 0; count < corrections; count++) {
    const missing = speechLufs - integratedLoudness(made, sampleRateHz);
    if (Math.abs(missing) <= nearEnoughLu) break;
    gainDb += missing;
    made = limited(amplified(samples, gainDb), sampleRateHz);
  }
  return Int16Array.from(made, (sample) => Math.round(sample * 32_767));
}

function amplified(samples: Float32Array, gainDb: number): Float32Array {
  const gain = 10 ** (gainDb / 20);
  return samples.map((sample) => sample * gain);
}

/** The wave with its peaks below the ceiling: the gain falls smoothly before a peak and rises smoothly after it. */
function limited(samples: Float32Array, sampleRateHz: number): Float32Array {
  const ceiling = 10 ** (ceilingDb / 20);
  const heights = waveHeights(samples, ceiling);
  if (heights.every((height) => height <= ceiling)) return samples;
  const reach = Math.max(1, Math.round((limiterMs * sampleRateHz) / 1000));
  const allowed = heights.map((height) => Math.min(1, ceiling / Math.max(height, ceiling)));
  const gains = averages(lowest(allowed, reach), reach);
  return samples.map((sample, i) => sample * gains[i]!);
}

/** The lowest value within `reach` of each place. */
function lowest(values: Float32Array, reach: number): Float32Array {
  const result = new Float32Array(values.length).fill(1);
  values.forEach((value, i) => {
    if (value === 1) return;
    for (let at = Math.max(0, i - reach); at <= Math.min(values.length - 1, i + reach); at++)
      result[at] = Math.min(result[at]!, value);
  });
  return result;
}

/** The mean within `reach` of each place, where values beyond the ends count as 1. */
function averages(values: Float32Array, reach: number): Float32Array {
  const width = 2 * reach + 1;
  let sum = width;
  for (let i = 0; i < Math.min(reach, values.length); i++) sum += values[i]! - 1;
  return values.map((_, i) => {
    sum += (values[i + reach] ?? 1) - (values[i - reach - 1] ?? 1);
    return sum / width;
  });
}
