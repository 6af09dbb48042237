/** Why an engine returned no answer or only a part of one. */
export type EngineErrorCode =
  | "busy"
  | "refused"
  | "too_large"
  | "failed"
  | "unreachable"
  | "certificate"
  | "redirected"
  | "too_slow"
  | "broken_off"
  | "cut_off"
  | "filtered"
  | "no_answer"
  | "not_understood";

/** Messages for visitors, without addresses, keys or the engine's own text. */
const reasons: Record<EngineErrorCode, string> = {
  busy: "The language model is busy. Ask again in a moment.",
  refused: "The language model is not available.",
  too_large: "The language model cannot take this conversation; it may be too long.",
  failed: "The language model failed. Ask again.",
  unreachable: "The language model cannot be reached.",
  certificate: "The language model cannot be reached.",
  redirected: "The language model cannot be reached.",
  too_slow: "The language model did not answer in time. Ask again.",
  broken_off: "The answer was interrupted. Ask again.",
  cut_off: "The answer is cut off here; it would have been too long. Ask for less.",
  filtered: "The language model's filter has stopped this answer. Ask in other words.",
  no_answer: "The language model gave no answer. Ask in other words.",
  not_understood: "The language model answered in a form that is not understood.",
};

/** What is known about an error besides its code. */
interface EngineErrorDetails {
  status?: number | null;
  /** What the server said (`serverWords`). */
  says?: string | null;
  cause?: unknown;
}

/** How servers say that a conversation has too many tokens. */
const aboutLength =
  /context.(?:length|window|size)|too long|too many tokens|token limit|maximum.{0,20}(?:length|tokens)|exceed.{0,30}(?:context|tokens)/i;

/** An engine that failed. `message` contains nothing secret; `says` and `cause` are for the owner only. */
export class EngineError extends Error {
  override readonly name = "EngineError";
  readonly code: EngineErrorCode;
  /** The HTTP status it answered with, if any. */
  readonly status: number | null;
  readonly says: string | null;

  constructor(code: EngineErrorCode, { status = null, says = null, cause }: EngineErrorDetails = {}) {
    super(reasons[code], { cause });
    this.code = code;
    this.status = status;
    this.says = says;
  }

  /** The error for a response whose status is not a success. */
  static ofStatus(status: number, says: string | null = null): EngineError {
    const error = (code: EngineErrorCode) => new EngineError(code, { status, says });
    if (status === 429 || status === 503) return error("busy");
    if (status === 413 || (status < 500 && aboutLength.test(says ?? ""))) return error("too_large");
    if (status >= 300 && status < 400) return error("redirected");
    return error(status >= 500 ? "failed" : "refused");
  }
}
