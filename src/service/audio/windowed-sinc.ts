/** Shape of the Kaiser window: 60 dB down outside. */
const kaiserBeta = 6;

/** A tap of a low-pass filter, `distance` samples from its middle; `cutoff` is the part of the band that it keeps (0…1). */
export function windowedSinc(distance: number, reach: number, cutoff: number): number {
  const ratio = distance / reach;
  if (Math.abs(ratio) >= 1) return 0;
  const angle = Math.PI * distance * cutoff;
  const sinc = angle === 0 ? 1 : Math.sin(angle) / angle;
  return sinc * besselI0(kaiserBeta * Math.sqrt(1 - ratio * ratio));
}

/** By which two rates become a fraction in lowest terms. */
export function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b);
}

/** Modified Bessel function of order zero, by its power series. */
function besselI0(x: number): number {
  let sum = 1;
  let term = 1;
  for (let k = 1; term > sum * 1e-9; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}
