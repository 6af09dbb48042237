import { authErrorBodySchema, errorBodySchema } from "../protocol/error-body.ts";
import { visavisErrorCodes, type VisavisErrorCode } from "../protocol/visavis-error-code.ts";
import { VisavisError } from "./visavis-error.ts";

/** What a request was for: the same status means different things to different requests. */
export type RelayPurpose = "context" | "create" | "session";

/** An answer of the relay that is not a success. */
export class RelayFault extends VisavisError {
  readonly status: number;
  /** How long to wait before the next request, from the rate limit's reset; 0 when nothing was said. */
  readonly retryAfterMs: number;
  /** The moment until which to wait, on the clock of `performance.now()`, which nobody sets. */
  readonly retryAtMs: number;

  constructor(code: VisavisErrorCode, message: string, status: number, retryAfterMs: number) {
    super(code, message);
    this.status = status;
    this.retryAfterMs = retryAfterMs;
    this.retryAtMs = performance.now() + retryAfterMs;
  }

  /** The session is gone for good: asking again cannot help. */
  get final(): boolean {
    return [401, 403, 404, 410].includes(this.status);
  }
}

const byStatus: Record<RelayPurpose, Partial<Record<number, VisavisErrorCode>>> = {
  context: { 403: "origin_not_allowed", 404: "context_not_found", 410: "context_inactive" },
  create: { 403: "origin_not_allowed", 404: "context_not_found", 410: "context_inactive" },
  session: { 401: "session_lost", 403: "session_lost", 404: "session_lost", 410: "session_lost" },
};

const isOwnCode = (code: string): code is VisavisErrorCode =>
  (visavisErrorCodes as readonly string[]).includes(code);

/**
 * The code a page is told for a refused request: the relay's own where its body names one of ours, else by the kind
 * of quota, else by the status.
 */
export function faultCode(purpose: RelayPurpose, status: number, bodyCode: string): VisavisErrorCode {
  if (isOwnCode(bodyCode)) return bodyCode;
  if (/QUOTA|CREDITS/.test(bodyCode)) return "quota_exceeded";
  if (status === 429) return "rate_limited";
  return byStatus[purpose][status] ?? (status >= 500 ? "connection_failed" : "invalid_response");
}

/** Code and detail of an error's body, in either of the interface's shapes; empty texts when it has neither. */
export function readErrorBody(body: unknown): { code: string; detail: string } {
  const refused = errorBodySchema.safeParse(body);
  if (refused.success) return refused.data.errors[0]!;
  const limited = authErrorBodySchema.safeParse(body);
  return limited.success
    ? { code: limited.data.code, detail: limited.data.message }
    : { code: "", detail: "" };
}

/** Wait until a rate limit's reset, in ms, clamped to 0–120 s so that a wrong clock harms little. */
export function retryAfterMs(headers: Headers, nowMs: number): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const resetSec = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : resetSec * 1000 - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), 120_000) : 0;
}

/** Reads a refused answer into the error that it means. */
export async function relayFault(purpose: RelayPurpose, response: Response): Promise<RelayFault> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail } = readErrorBody(body);
  return new RelayFault(
    faultCode(purpose, response.status, code),
    detail || `The relay answered with status ${response.status}.`,
    response.status,
    response.status === 429 ? retryAfterMs(response.headers, Date.now()) : 0,
  );
}
