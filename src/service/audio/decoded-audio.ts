/** Audio as engines take it: one channel. */
export interface DecodedAudio {
  pcm: Int16Array;
  sampleRateHz: number;
}

/** Why bytes could not be taken for audio. */
export type AudioErrorCode = "empty" | "broken" | "unsupported" | "too_long";

/** An audio file that cannot be used. The message may be shown to its sender. */
export class AudioError extends Error {
  readonly code: AudioErrorCode;

  constructor(code: AudioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "AudioError";
    this.code = code;
  }
}
