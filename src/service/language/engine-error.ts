/** Why an engine gave no answer, or not all of it. */
export type EngineErrorCode =
  | "busy"
  | "refused"
  | "too_large"
  | "failed"
  | "unreachable"
  | "too_slow"
  | "broken_off"
  | "no_answer"
  | "not_understood";

/** What a visitor may read of it: nothing of addresses, keys or the engine's own words. */
const reasons: Record<EngineErrorCode, string> = {
  busy: "The language model is busy. Ask again in a moment.",
  refused: "The language model is not available.",
  too_large: "The language model cannot take this conversation; it may be too long.",
  failed: "The language model failed. Ask again.",
  unreachable: "The language model cannot be reached.",
  too_slow: "The language model did not answer in time. Ask again.",
  broken_off: "The answer broke off. Ask again.",
  no_answer: "The language model gave no answer. Ask in other words.",
  not_understood: "The language model answered in a form that is not understood.",
};

/** An engine that failed. `message` may be shown to anybody; `cause` is for nobody but the log. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  /** The HTTP status it answered with, if any. */
  readonly status: number | null;

  constructor(
    code: EngineErrorCode,
    { status = null, cause }: { status?: number | null; cause?: unknown } = {},
  ) {
    super(reasons[code], { cause });
    this.code = code;
    this.status = status;
  }

  /** An answer whose status is no success. */
  static ofStatus(status: number): EngineError {
    if (status === 429 || status === 503) return new EngineError("busy", { status });
    if (status === 400 || status === 413 || status === 422) return new EngineError("too_large", { status });
    return new EngineError(status >= 500 ? "failed" : "refused", { status });
  }
}
