/** Twiddle factors and bit-reversed indexes for one transform size. */
interface Plan {
  cos: Float32Array;
  sin: Float32Array;
  reversed: Uint16Array;
}

const plans = new Map<number, Plan>();

function planFor(size: number): Plan {
  const known = plans.get(size);
  if (known) return known;
  const bits = Math.log2(size);
  const plan = {
    cos: Float32Array.from({ length: size / 2 }, (_, index) => Math.cos((2 * Math.PI * index) / size)),
    sin: Float32Array.from({ length: size / 2 }, (_, index) => -Math.sin((2 * Math.PI * index) / size)),
    reversed: Uint16Array.from({ length: size }, (_, index) => {
      let place = 0;
      for (let bit = 0; bit < bits; bit++) if (index & (1 << bit)) place |= 1 << (bits - 1 - bit);
      return place;
    }),
  };
  plans.set(size, plan);
  return plan;
}

/** One stage of butterflies over halves of length `half`. */
function combine(real: Float32Array, imaginary: Float32Array, half: number, { cos, sin }: Plan): void {
  const stride = real.length / (2 * half);
  for (let start = 0; start < real.length; start += 2 * half)
    for (let index = 0; index < half; index++) {
      const [a, b] = [start + index, start + index + half];
      const [c, s] = [cos[index * stride]!, sin[index * stride]!];
      const r = real[b]! * c - imaginary[b]! * s;
      const i = real[b]! * s + imaginary[b]! * c;
      real[b] = real[a]! - r;
      imaginary[b] = imaginary[a]! - i;
      real[a] = real[a]! + r;
      imaginary[a] = imaginary[a]! + i;
    }
}

/** Magnitudes of the frequencies of real samples (radix-2 fast Fourier transform); the length must be a power of two. */
export function magnitudes(samples: Float32Array): Float32Array {
  const size = samples.length;
  const plan = planFor(size);
  const real = Float32Array.from(plan.reversed, (place) => samples[place]!);
  const imaginary = new Float32Array(size);
  for (let half = 1; half < size; half *= 2) combine(real, imaginary, half, plan);
  return Float32Array.from({ length: size / 2 }, (_, bin) => Math.hypot(real[bin]!, imaginary[bin]!));
}
