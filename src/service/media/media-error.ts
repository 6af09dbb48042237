import { errorMessage } from "../faults/error-message.ts";

/**
 * `refused_offer` (not passed to the WebRTC library; the message is for the client) and `invalid_offer` (the library cannot
 * use it) are faults of the client. `fatal_offer` (it crashed the process) can be one too. The others are faults of the
 * engine, and a later exchange may succeed.
 */
export type MediaErrorCode =
  | "refused_offer"
  | "invalid_offer"
  | "fatal_offer"
  | "invalid_character"
  | "exchange_timeout"
  | "process_died"
  | "stopped";

/** Why a peer connection could not be created. */
export class MediaError extends Error {
  readonly code: MediaErrorCode;

  constructor(code: MediaErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "MediaError";
    this.code = code;
  }

  /** `detail` says which line is wrong and what to do. */
  static refusedOffer(detail: string): MediaError {
    return new MediaError("refused_offer", detail);
  }

  static invalidOffer(cause: unknown): MediaError {
    return new MediaError("invalid_offer", `The offer cannot be answered: ${errorMessage(cause)}`, { cause });
  }

  static invalidCharacter(file: string, cause: unknown): MediaError {
    return new MediaError(
      "invalid_character",
      `The character file ${file} cannot be drawn: ${errorMessage(cause)}`,
      {
        cause,
      },
    );
  }

  static exchangeTimeout(timeoutMs: number): MediaError {
    return new MediaError(
      "exchange_timeout",
      `The media process did not answer the offer within ${timeoutMs} ms.`,
    );
  }

  static processDied(): MediaError {
    return new MediaError("process_died", "The media process died before it answered. Send a new exchange.");
  }

  static fatalOffer(): MediaError {
    return new MediaError("fatal_offer", "The media process died while it applied the offer.");
  }

  static stopped(): MediaError {
    return new MediaError("stopped", "The media engine is stopped.");
  }
}
