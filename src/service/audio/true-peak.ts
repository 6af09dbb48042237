import { polyphaseFilter } from "./polyphase-filter.ts";

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
export function waveHeights(samples: Float32Array, limit: number): Float32Array {
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
