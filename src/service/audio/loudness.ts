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
