import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { VoiceFrame } from "../../src/client/voice/activity/voice-monitor.ts";

interface Processor {
  readonly port: { postMessage: (frame: VoiceFrame) => void };
  process(inputs: Float32Array[][]): boolean;
}
type ProcessorClass = new (options: { processorOptions: { fvad: WebAssembly.Module } }) => Processor;

/** The sample rate of sounds that are heard here. */
export const heardRateHz = 48_000;

let loaded: Promise<ProcessorClass> | undefined;

/** The widget's own audio worklet, run outside a browser. */
async function processorClass(): Promise<ProcessorClass> {
  let registered: ProcessorClass | undefined;
  Object.assign(globalThis, {
    sampleRate: heardRateHz,
    AudioWorkletProcessor: class {
      readonly port = { postMessage: () => undefined };
    },
    registerProcessor: (_name: string, made: ProcessorClass) => (registered = made),
  });
  await import("../../src/client/voice/activity/voice-activity.worklet.ts");
  if (!registered) throw new Error("The worklet has registered no processor.");
  return registered;
}

/** The frames of 10 ms that the widget's voice activity makes of a sound at 48 kHz. */
export async function heardFrames(sound: Float32Array): Promise<VoiceFrame[]> {
  const Processor = await (loaded ??= processorClass());
  const wasm = createRequire(import.meta.url).resolve("@echogarden/fvad-wasm/fvad.wasm");
  const processor = new Processor({ processorOptions: { fvad: new WebAssembly.Module(readFileSync(wasm)) } });
  const frames: VoiceFrame[] = [];
  processor.port.postMessage = (frame) => frames.push(frame);
  for (let at = 0; at < sound.length; at += 128) processor.process([[sound.subarray(at, at + 128)]]);
  return frames;
}
