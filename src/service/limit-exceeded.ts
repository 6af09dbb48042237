/** How many pieces of one session's texts and audio may wait. More would be minutes of work. */
export const waitingPerSession = 64;

/** A limit that is reached until its window ends. The response is 429 over HTTP, and `rate_limited` over a data channel. */
export class LimitExceeded extends Error {
  override readonly name = "LimitExceeded";
  readonly code = "rate_limited";
  readonly limit: number;
  /** When the window ends, in ms since the Unix epoch. */
  readonly resetAtMs: number;

  /** `what` names the limited thing, such as "answers a minute in a session". */
  constructor(what: string, limit: number, resetAtMs: number) {
    super(`Rate limit exceeded: at most ${limit} ${what}. Wait until the time in X-RateLimit-Reset.`);
    this.limit = limit;
    this.resetAtMs = resetAtMs;
  }
}
