/** Why an engine returned no answer or only a part of one. */
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

/** Messages for visitors, without addresses, keys or the engine's own text. */
const reasons: Record<EngineErrorCode, string> = {
  busy: "The language model is busy. Ask again in a moment.",
  refused: "The language model is not available.",
  too_large: "The language model cannot take this conversation; it may be too long.",
  failed: "The language model failed. Ask again.",
  unreachable: "The language model cannot be reached.",
  too_slow: "The language model did not answer in time. Ask again.",
  broken_off: "The answer was interrupted. Ask again.",
  no_answer: "The language model gave no answer. Ask in other words.",
  not_understood: "The language model answered in a form that is not understood.",
};

/** An engine that failed. `message` contains nothing secret; `cause` is for the log only. */
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

  /** The error for a response whose status is not a success. */
  static ofStatus(status: number): EngineError {
    if (status === 429 || status === 503) return new EngineError("busy", { status });
    if (status === 400 || status === 413 || status === 422) return new EngineError("too_large", { status });
    return new EngineError(status >= 500 ? "failed" : "refused", { status });
  }
}
