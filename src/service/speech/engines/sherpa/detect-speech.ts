import type { SherpaOutcome } from "./sherpa-messages.ts";
import { toFloats, type VoiceDetector } from "./sherpa-module.ts";

/** Silero processes sound at 16 kHz in windows of this many samples. */
const windowSamples = 512;

/** Finds the spans of speech in a whole recording at 16 kHz. */
export function detectSpeech(detector: VoiceDetector, pcm: Int16Array): SherpaOutcome {
  detector.reset();
  const spans: [number, number][] = [];
  const collect = (): void => {
    while (!detector.isEmpty()) {
      const { start, samples } = detector.front(false);
      spans.push([start, start + samples.length]);
      detector.pop();
    }
  };
  // The last window is filled up with silence, or the last word could be lost.
  const samples = new Float32Array(Math.ceil(pcm.length / windowSamples) * windowSamples);
  samples.set(toFloats(pcm));
  for (let at = 0; at < samples.length; at += windowSamples) {
    detector.acceptWaveform(samples.subarray(at, at + windowSamples));
    collect();
  }
  detector.flush();
  collect();
  return { kind: "detected", spans };
}
