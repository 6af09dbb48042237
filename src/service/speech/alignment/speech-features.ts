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
function magnitudes(samples: Float32Array): Float32Array {
  const size = samples.length;
  const plan = planFor(size);
  const real = Float32Array.from(plan.reversed, (place) => samples[place]!);
  const imaginary = new Float32Array(size);
  for (let half = 1; half < size; half *= 2) combine(real, imaginary, half, plan);
  return Float32Array.from({ length: size / 2 }, (_, bin) => Math.hypot(real[bin]!, imaginary[bin]!));
}

/** The sample rate for computing features. */
export const featureRateHz = 16_000;
/** The time from one frame to the next. */
export const frameStepMs = 10;

const windowSamples = 400;
const stepSamples = (featureRateHz * frameStepMs) / 1_000;
const fftSize = 512;
const bandCount = 26;
const bandRangeHz = { from: 100, to: 7_000 };

/** How many numbers describe a frame: cepstral coefficients and their changes. */
const coefficientCount = 12;
export const featureCount = coefficientCount * 2 + 1;

/** The sound of speech, frame by frame. */
export interface SpeechFeatures {
  frames: number;
  /** `featureCount` numbers per frame, each standardized over the spoken frames. */
  values: Float32Array;
  /** Loudness per frame in dB; 0 is full scale. */
  levelDb: Float32Array;
  /** The spectrum's centre of gravity per frame in Hz: high for hissing sounds, low for rounded vowels. */
  centreHz: Float32Array;
}

const hammingWindow = Float32Array.from(
  { length: windowSamples },
  (_, index) => 0.54 - 0.46 * Math.cos((2 * Math.PI * index) / (windowSamples - 1)),
);

const toMel = (hz: number): number => 2_595 * Math.log10(1 + hz / 700);
const toHz = (mel: number): number => 700 * (10 ** (mel / 2_595) - 1);

/** Edges of the mel bands as positions in the spectrum. */
const bandEdges = Array.from({ length: bandCount + 2 }, (_, index) => {
  const [low, high] = [toMel(bandRangeHz.from), toMel(bandRangeHz.to)];
  return (toHz(low + ((high - low) * index) / (bandCount + 1)) * fftSize) / featureRateHz;
});

const cosines = Array.from({ length: coefficientCount }, (_, row) =>
  Float32Array.from({ length: bandCount }, (_unused, band) =>
    Math.cos((Math.PI * (row + 1) * (band + 0.5)) / bandCount),
  ),
);

/** Logarithmic energies of the mel bands (triangular filters). */
function bandEnergies(spectrum: Float32Array): Float32Array {
  return Float32Array.from({ length: bandCount }, (_, band) => {
    const [from, peak, to] = [bandEdges[band]!, bandEdges[band + 1]!, bandEdges[band + 2]!];
    let energy = 0;
    for (let bin = Math.ceil(from); bin < to; bin++) {
      const weight = bin < peak ? (bin - from) / (peak - from) : (to - bin) / (to - peak);
      energy += weight * spectrum[bin]! ** 2;
    }
    return Math.log(energy + 1e-6);
  });
}

function centreOf(spectrum: Float32Array): number {
  let [sum, weighted] = [1e-9, 0];
  for (let bin = 2; bin < spectrum.length; bin++) {
    const power = spectrum[bin]! ** 2;
    sum += power;
    weighted += power * bin;
  }
  return ((weighted / sum) * featureRateHz) / fftSize;
}

/**
 * The weight of a column: more for loudness, less for changes. Found by experiments that compared Flite's voices with each other.
 */
function columnWeight(column: number): number {
  if (column < coefficientCount) return 1;
  return column === coefficientCount ? 1.4 : 0.84;
}

/** Scales each column to mean 0 and variance 1 over the frames that are loud enough to be speech. */
function standardized(values: Float32Array, frames: number, loud: readonly boolean[]): void {
  for (let column = 0; column < featureCount; column++) {
    let [count, sum, squares] = [0, 0, 0];
    for (let frame = 0; frame < frames; frame++) {
      if (!loud[frame]) continue;
      const value = values[frame * featureCount + column]!;
      count++;
      sum += value;
      squares += value * value;
    }
    const mean = sum / Math.max(1, count);
    const deviation = Math.sqrt(Math.max(1e-6, squares / Math.max(1, count) - mean * mean));
    for (let frame = 0; frame < frames; frame++) {
      const at = frame * featureCount + column;
      values[at] = ((values[at]! - mean) / deviation) * columnWeight(column);
    }
  }
}

/** How the coefficients change from two frames before to two frames after. */
function addChanges(values: Float32Array, frames: number): void {
  for (let frame = 0; frame < frames; frame++) {
    const before = Math.max(0, frame - 2) * featureCount;
    const after = Math.min(frames - 1, frame + 2) * featureCount;
    for (let row = 0; row < coefficientCount; row++)
      values[frame * featureCount + coefficientCount + 1 + row] =
        values[after + row]! - values[before + row]!;
  }
}

/** The loudness limit of speech, in dB below the loudest frame. */
const speechRangeDb = 40;

/** Which frames are loud enough to be speech. */
export function loudFrames(levelDb: Float32Array): boolean[] {
  const peak = levelDb.reduce((most, level) => Math.max(most, level), -100);
  return Array.from(levelDb, (level) => level > Math.max(peak - speechRangeDb, -60));
}

/**
 * Mel-frequency cepstral coefficients of speech (Davis and Mermelstein, 1980), with loudness. `pcm` has the rate `featureRateHz`.
 */
export function speechFeatures(pcm: Int16Array): SpeechFeatures {
  const frames = Math.max(1, Math.ceil(pcm.length / stepSamples));
  const values = new Float32Array(frames * featureCount);
  const levelDb = new Float32Array(frames);
  const centreHz = new Float32Array(frames);
  const piece = new Float32Array(fftSize);
  for (let frame = 0; frame < frames; frame++) {
    // The window is centred on the middle of the frame.
    const first = frame * stepSamples + (stepSamples - windowSamples) / 2;
    let [squares, previous] = [0, (pcm[first - 1] ?? 0) / 32_768];
    for (let index = 0; index < windowSamples; index++) {
      const sample = (pcm[first + index] ?? 0) / 32_768;
      squares += sample * sample;
      piece[index] = (sample - 0.95 * previous) * hammingWindow[index]!;
      previous = sample;
    }
    const spectrum = magnitudes(piece);
    const bands = bandEnergies(spectrum);
    levelDb[frame] = 10 * Math.log10(squares / windowSamples + 1e-10);
    centreHz[frame] = centreOf(spectrum);
    values[frame * featureCount + coefficientCount] = levelDb[frame]!;
    for (const [row, weights] of cosines.entries())
      values[frame * featureCount + row] = bands.reduce(
        (sum, band, index) => sum + band * weights[index]!,
        0,
      );
  }
  addChanges(values, frames);
  standardized(values, frames, loudFrames(levelDb));
  return { frames, values, levelDb, centreHz };
}
