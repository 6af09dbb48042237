import type { SpeechFaultCode } from "../../protocol/session/data-channel.ts";
import { SessionQueueFull } from "./workers/worker-pool.ts";

/** Why a text could not be spoken. `message` says what is wrong with it and may be shown to an operator. */
export class SpeechError extends Error {
  readonly code: SpeechFaultCode;

  constructor(code: SpeechFaultCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "SpeechError";
    this.code = code;
  }

  static unspeakable(message: string): SpeechError {
    return new SpeechError("unspeakable_text", message);
  }

  static tooLong(length: number, maxLength: number): SpeechError {
    return new SpeechError(
      "text_too_long",
      `The text has ${length} characters; at most ${maxLength} are spoken in one piece.`,
    );
  }

  /** The error of a worker's job: the session has too many jobs waiting, or the engine failed. */
  static ofWorker(error: unknown): SpeechError {
    if (error instanceof SessionQueueFull) return new SpeechError("rate_limited", error.message);
    return SpeechError.engineFailed("The speech engine failed on this text.", error);
  }

  static engineFailed(message: string, cause?: unknown): SpeechError {
    return new SpeechError("engine_failed", message, { cause });
  }
}
