import { StreamResampler } from "../../audio/resampler.ts";
import type { HeardAudio } from "../wrtc.ts";
import { prerollMaxMs } from "../../../protocol/session/data-channel.ts";

/** The sample rate of recordings; recognizers expect it. */
export const recordingRateHz = 16_000;

/** A longer recording is cut after this time. */
const recordingMaxSec = 60;

/** Collects the audio of a microphone track as mono audio at 16 kHz; at most a minute. */
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

  /** How many samples there are so far. */
  get length(): number {
    return this.#length;
  }

  /** The recording so far, from this sample on. */
  pcm(from = 0): Int16Array {
    const pcm = new Int16Array(this.#length - from);
    let at = -from;
    for (const piece of this.#pieces) {
      const kept = at < 0 ? piece.subarray(-at) : piece;
      if (kept.length > 0) pcm.set(kept, Math.max(at, 0));
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

const durationMs = ({ samples, channelCount, sampleRate }: HeardAudio): number =>
  (samples.length / channelCount / sampleRate) * 1_000;

/** The last half second of a microphone track, so that a recording can begin before the client asked for it. */
export class RecentAudio {
  #pieces: HeardAudio[] = [];

  take(heard: HeardAudio): void {
    this.#pieces.push(heard);
    // Pieces are about 10 ms long: this runs through the list once in half a second.
    if (this.#pieces.length > prerollMaxMs / 5) this.#pieces = this.last(prerollMaxMs);
  }

  /** The last `ms`, oldest first, in whole pieces. */
  last(ms: number): HeardAudio[] {
    let reachedMs = 0;
    const before = this.#pieces.findLastIndex((piece) => (reachedMs += durationMs(piece)) > ms);
    return this.#pieces.slice(before + 1);
  }

  clear(): void {
    this.#pieces = [];
  }
}
