import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { VoiceFrame } from "../../../src/client/voice/activity/voice-monitor.ts";
import { Resampler } from "../../../src/service/audio/resampler.ts";
import { createFliteSynthesizer } from "../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { bundleEntry } from "../../service/bundle-entry.ts";

interface Processor {
  readonly port: { postMessage: (frame: VoiceFrame) => void };
  process(inputs: Float32Array[][]): boolean;
}
type ProcessorClass = new (options: { processorOptions: { fvad: WebAssembly.Module | null } }) => Processor;

let VoiceActivity: ProcessorClass;
let speech: Float32Array;

beforeAll(async () => {
  // The global scope of an audio worklet.
  Object.assign(globalThis, {
    sampleRate: 48_000,
    AudioWorkletProcessor: class {
      readonly port = { postMessage: () => undefined };
    },
    registerProcessor: (_name: string, made: ProcessorClass) => (VoiceActivity = made),
  });
  await import("../../../src/client/voice/activity/voice-activity.worklet.ts");
  const worker = await bundleEntry("src/service/speech/engines/flite/flite-worker.ts");
  const flite = createFliteSynthesizer({ workerUrl: worker.url });
  const { pcm, sampleRateHz } = await flite.synthesize({
    text: "How long does delivery take?",
    voice: "slt",
  });
  const audio = new Resampler(pcm, sampleRateHz);
  const heard = new Int16Array(audio.length);
  audio.read(0, heard);
  speech = Float32Array.from(heard, (sample) => sample / 32_768);
  await flite.close();
  worker.remove();
});

afterAll(() => {
  for (const name of ["sampleRate", "AudioWorkletProcessor", "registerProcessor"])
    Reflect.deleteProperty(globalThis, name);
});

/** The frames of a sound, as the worklet gets it: in blocks of 128 samples. */
function framesOf(sound: Float32Array, fvad: WebAssembly.Module | null): VoiceFrame[] {
  const frames: VoiceFrame[] = [];
  const processor = new VoiceActivity({ processorOptions: { fvad } });
  processor.port.postMessage = (frame) => frames.push(frame);
  for (let at = 0; at < sound.length; at += 128) processor.process([[sound.subarray(at, at + 128)]]);
  return frames;
}

const share = (frames: VoiceFrame[]): number =>
  frames.filter(({ isVoiced }) => isVoiced).length / frames.length;

function after(first: Float32Array, second: Float32Array): Float32Array {
  const both = new Float32Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}

/** White noise of this loudness, the same each time. */
function noise(ms: number, loudness: number): Float32Array {
  let seed = 7;
  return Float32Array.from({ length: ms * 48 }, () => {
    seed = (seed * 16_807) % 2_147_483_647;
    return ((seed / 2_147_483_647) * 2 - 1) * loudness;
  });
}

const wasm = (): WebAssembly.Module =>
  new WebAssembly.Module(
    readFileSync(createRequire(import.meta.url).resolve("@echogarden/fvad-wasm/fvad.wasm")),
  );

describe("voice activity", () => {
  it.each([
    ["with libfvad", wasm],
    ["where the page allows no WebAssembly", () => null],
  ])("finds speech %s", (_name, fvad) => {
    const silence = new Float32Array(48_000);
    expect(share(framesOf(silence, fvad()))).toBe(0);
    expect(share(framesOf(after(silence, speech), fvad()).slice(100))).toBeGreaterThan(0.55);
  });

  it("takes noise for no speech", () => {
    for (const fvad of [wasm(), null]) {
      expect(share(framesOf(noise(10_000, 0.1), fvad))).toBeLessThan(0.03);
      expect(share(framesOf(after(new Float32Array(48_000), noise(2_000, 0.05)), fvad))).toBeLessThan(0.06);
    }
  });

  it("hears vowels in speech, and none in noise that changes as noise suppression lets it", () => {
    const silence = new Float32Array(24_000);
    const vowels = (frames: VoiceFrame[]) => frames.filter(({ isVowel }) => isVowel).length;
    expect(vowels(framesOf(after(silence, speech), wasm()))).toBeGreaterThan(40);
    // It comes loud and goes down within a second, and flutters all the time.
    const suppressed = noise(3_000, 0.5).map(
      (sample, at) => sample * Math.exp(-at / 24_000) * (0.6 + 0.4 * Math.sin(at / 900)),
    );
    const heard = framesOf(after(silence, suppressed), wasm());
    expect(heard.filter(({ isVoiced }) => isVoiced).length).toBeGreaterThan(0);
    expect(vowels(heard)).toBe(0);
  });

  it("gives a frame for every 10 ms, with its effective value", () => {
    const frames = framesOf(new Float32Array(48_000).fill(0.5), null);
    expect(frames.length).toBe(100);
    expect(frames[50]?.rms).toBeCloseTo(0.5, 3);
  });
});
