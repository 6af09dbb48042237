/**
 * `refused_offer` (not handed to the WebRTC library; the message is for the client) and `invalid_offer` (the library cannot
 * use it) are the client's fault, and so may be `fatal_offer` (the process died of it); the others are the engine's, and a later exchange may succeed.
 */
export type MediaErrorCode =
  | "refused_offer"
  | "invalid_offer"
  | "fatal_offer"
  | "invalid_character"
  | "exchange_timeout"
  | "process_died"
  | "stopped";

/** Why a peer connection could not be made. */
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
    return new MediaError("invalid_offer", `The offer cannot be answered: ${reasonOf(cause)}`, { cause });
  }

  static invalidCharacter(file: string, cause: unknown): MediaError {
    return new MediaError(
      "invalid_character",
      `The character file ${file} cannot be drawn: ${reasonOf(cause)}`,
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
    return new MediaError(
      "process_died",
      "The media process died before it answered; another exchange starts anew.",
    );
  }

  static fatalOffer(): MediaError {
    return new MediaError("fatal_offer", "The media process died while it applied the offer.");
  }

  static stopped(): MediaError {
    return new MediaError("stopped", "The media engine is stopped.");
  }
}

function reasonOf(cause: unknown): string {
  return cause instanceof Error ? cause.message : String(cause);
}
