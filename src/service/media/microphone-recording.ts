import { StreamResampler } from "./stream-resampler.ts";
import type { HeardAudio } from "./wrtc.ts";

/** The rate of recordings: what recognizers take. */
export const recordingRateHz = 16_000;

/** Of a longer recording the beginning is kept. */
const recordingMaxSec = 60;

/** Collects what a microphone track brings as mono audio of 16 kHz; at most a minute. */
export class MicrophoneRecording {
  readonly #pieces: Int16Array[] = [];
  #length = 0;
  #resampler: { inputRateHz: number; stream: StreamResampler } | undefined;

  take({ samples, sampleRate, channelCount }: HeardAudio): void {
    const left = recordingMaxSec * recordingRateHz - this.#length;
    if (left <= 0) return;
    if (this.#resampler?.inputRateHz !== sampleRate)
      this.#resampler = {
        inputRateHz: sampleRate,
        stream: new StreamResampler(sampleRate, recordingRateHz),
      };
    const piece = this.#resampler.stream.push(mono(samples, channelCount)).subarray(0, left);
    this.#pieces.push(piece);
    this.#length += piece.length;
  }

  /** What was recorded so far. */
  pcm(): Int16Array {
    const pcm = new Int16Array(this.#length);
    let at = 0;
    for (const piece of this.#pieces) {
      pcm.set(piece, at);
      at += piece.length;
    }
    return pcm;
  }
}

function mono(samples: Int16Array, channelCount: number): Int16Array {
  if (channelCount === 1) return samples;
  return Int16Array.from({ length: samples.length / channelCount }, (_, frame) => {
    const channels = samples.subarray(frame * channelCount, (frame + 1) * channelCount);
    return channels.reduce((sum, sample) => sum + sample, 0) / channelCount;
  });
}
