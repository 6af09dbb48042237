/** More pieces of one session's texts and audio than this do not wait: it has asked for minutes of work already. */
export const waitingPerSession = 64;

/** A limit that is full until its window is over. Answered 429 over HTTP, and `rate_limited` over a data channel. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
  readonly code = "rate_limited";
  readonly limit: number;
  /** When the window is over, in ms since the Unix epoch. */
  readonly resetAtMs: number;

  /** `what` is limited, such as "answers a minute in a session". */
  constructor(what: string, limit: number, resetAtMs: number) {
    super(`Rate limit exceeded: at most ${limit} ${what}. Wait until the time in X-RateLimit-Reset.`);
    this.limit = limit;
    this.resetAtMs = resetAtMs;
  }
}
