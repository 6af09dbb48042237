import type { SpeechFaultCode } from "../../protocol/data-channel.ts";

/** Why a text could not be made into speech. `message` says what is wrong with it and may be shown to an operator. */
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

  static engineFailed(message: string, cause?: unknown): SpeechError {
    return new SpeechError("engine_failed", message, { cause });
  }
}
