import { integratedLoudness } from "./loudness.ts";
import { waveHeights } from "./true-peak.ts";

/** The loudness of all voices, as of spoken programmes on the web. */
export const speechLufs = -16;

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
