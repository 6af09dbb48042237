import { levelDb, NoiseGate } from "./noise-gate.ts";
import { Pitch } from "./pitch.ts";

/** The global scope of an audio worklet (Web Audio API, section 1.32); TypeScript's library has no types for it. */
declare const sampleRate: number;
declare abstract class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(
  name: string,
  processor: new (options: {
    processorOptions: { fvad: WebAssembly.Module | null };
  }) => AudioWorkletProcessor,
): void;

/** The detector's own rate: one of those that it accepts. */
const rateHz = 48_000;
const frameSamples = rateHz / 100;
/** The detector's strictest mode: the fewest frames of noise count as speech. */
const strictest = 3;

/** So long after a vowel a sound may still be speech, in frames: words have consonants. */
const vowelFrames = 30;

/** What libfvad exports, by the names that its build has given them (version 0.2.0). */
interface Fvad {
  readonly c: WebAssembly.Memory;
  readonly d: () => void;
  readonly e: () => number;
  readonly f: (bytes: number) => number;
  readonly j: (handle: number, mode: number) => number;
  readonly k: (handle: number, rateHz: number) => number;
  readonly l: (handle: number, samples: number, count: number) => number;
}

/** Makes the detector from its compiled module. Null where the page's policy allows no WebAssembly: the gate decides alone. */
function detectorOf(module: WebAssembly.Module | null): ((frame: Int16Array) => boolean) | null {
  if (!module) return null;
  const refuse = (): never => {
    throw new Error("libfvad has failed.");
  };
  const instance = new WebAssembly.Instance(module, { a: { a: refuse, b: refuse } });
  // The names are those of the pinned version; a test runs it.
  // eslint-disable-next-line no-restricted-syntax -- see above
  const exports = instance.exports as unknown as Fvad;
  exports.d();
  const handle = exports.e();
  exports.j(handle, strictest);
  exports.k(handle, rateHz);
  const place = exports.f(frameSamples * 2);
  return (frame) => {
    new Int16Array(exports.c.buffer, place, frameSamples).set(frame);
    return exports.l(handle, place, frameSamples) === 1;
  };
}

/** Tells for every 10 ms of sound how loud it is, whether it is a voice, and whether it has a voice's pitch. */
class VoiceActivityProcessor extends AudioWorkletProcessor {
  readonly #gate = new NoiseGate();
  readonly #pitch = new Pitch();
  #sinceVowel = 0;
  readonly #isVoice: ((frame: Int16Array) => boolean) | null;
  readonly #frame = new Int16Array(frameSamples);
  #filled = 0;
  #squares = 0;
  /** Where the next sample is read, in samples of the input, from the end of the last block on. */
  #position = 0;
  #last = 0;

  constructor({ processorOptions }: { processorOptions: { fvad: WebAssembly.Module | null } }) {
    super();
    this.#isVoice = detectorOf(processorOptions.fvad);
  }

  process([input]: Float32Array[][]): boolean {
    const samples = input?.[0];
    if (!samples) return true;
    const step = sampleRate / rateHz;
    for (; this.#position < samples.length; this.#position += step) {
      const at = Math.floor(this.#position);
      const before = at === 0 ? this.#last : (samples[at - 1] ?? 0);
      this.#take(before + ((samples[at] ?? 0) - before) * (this.#position - at));
    }
    this.#position -= samples.length;
    this.#last = samples.at(-1) ?? 0;
    return true;
  }

  #take(sample: number): void {
    this.#squares += sample * sample;
    this.#frame[this.#filled++] = Math.max(-1, Math.min(sample, 1)) * 32_767;
    if (this.#filled < frameSamples) return;
    const rms = Math.sqrt(this.#squares / frameSamples);
    // Both look at every frame, because both learn from it.
    const isVoice = this.#isVoice?.(this.#frame) ?? true;
    const hasPitch = this.#pitch.take(this.#frame);
    this.#sinceVowel = hasPitch ? 0 : this.#sinceVowel + 1;
    const isAbove = this.#gate.isAbove(levelDb(rms), isVoice, this.#sinceVowel < vowelFrames);
    const isVoiced = isAbove && isVoice;
    this.port.postMessage({ rms, isVoiced, isVowel: isVoiced && hasPitch });
    this.#filled = 0;
    this.#squares = 0;
  }
}

registerProcessor("visavis-voice-activity", VoiceActivityProcessor);
