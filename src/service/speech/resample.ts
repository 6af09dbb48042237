/** Zero crossings of the filter's kernel on each side. */
const kernelReach = 12;

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** The filter's taps for each place that an output sample can have between two input samples (windowed sinc, Hann). */
function filterPhases(phases: number, cutoff: number, reach: number): Float32Array[] {
  return Array.from({ length: phases }, (_, phase) => {
    const taps = Float32Array.from({ length: 2 * reach }, (_unused, tap) => {
      const distance = tap - reach + 1 - phase / phases;
      const x = Math.PI * cutoff * distance;
      const sinc = x === 0 ? 1 : Math.sin(x) / x;
      return sinc * (0.5 + 0.5 * Math.cos((Math.PI * distance) / (reach + 1)));
    });
    const sum = taps.reduce((total, tap) => total + tap, 0);
    return taps.map((tap) => tap / sum);
  });
}

/** Samples at another rate, band-limited; the same samples where the rate is the same. */
export function resample(pcm: Int16Array, fromHz: number, toHz: number): Int16Array {
  if (fromHz === toHz) return pcm;
  const divisor = greatestCommonDivisor(fromHz, toHz);
  const [phases, step] = [toHz / divisor, fromHz / divisor];
  const cutoff = Math.min(1, toHz / fromHz);
  const reach = Math.ceil(kernelReach / cutoff);
  const filter = filterPhases(phases, cutoff, reach);
  const result = new Int16Array(Math.floor((pcm.length * phases) / step));
  for (let index = 0; index < result.length; index++) {
    const place = index * step;
    const taps = filter[place % phases]!;
    const first = Math.floor(place / phases) - reach + 1;
    let sum = 0;
    for (let tap = 0; tap < taps.length; tap++) sum += (pcm[first + tap] ?? 0) * taps[tap]!;
    result[index] = Math.max(-32_768, Math.min(32_767, Math.round(sum)));
  }
  return result;
}
