import { authErrorBodySchema, errorBodySchema } from "../../protocol/schema/error-body.ts";
import {
  visavisErrorCodes,
  visavisLimits,
  type VisavisErrorCode,
  type VisavisLimit,
} from "../../protocol/visavis-error-code.ts";
import { RelayFault, type RelayPurpose } from "./relay-fault.ts";

const byStatus: Record<RelayPurpose, Partial<Record<number, VisavisErrorCode>>> = {
  context: { 403: "origin_not_allowed", 404: "context_not_found", 410: "context_inactive" },
  create: { 403: "origin_not_allowed", 404: "context_not_found", 410: "context_inactive" },
  session: { 401: "session_lost", 403: "session_lost", 404: "session_lost", 410: "session_lost" },
};

const isOwnCode = (code: string): code is VisavisErrorCode =>
  visavisErrorCodes.some((known) => known === code);

/**
 * The error code for a refused request: the relay's own if it is one of ours, otherwise by the kind of quota, otherwise by
 * the status.
 */
export function faultCode(purpose: RelayPurpose, status: number, bodyCode: string): VisavisErrorCode {
  if (isOwnCode(bodyCode)) return bodyCode;
  if (/QUOTA|CREDITS/.test(bodyCode)) return "quota_exceeded";
  if (status === 429) return "rate_limited";
  return byStatus[purpose][status] ?? (status >= 500 ? "connection_failed" : "invalid_response");
}

/** Code, detail and limit of an error's body in either of the interface's shapes; empty if it has neither. */
export function readErrorBody(body: unknown): { code: string; detail: string; limit?: VisavisLimit } {
  const refused = errorBodySchema.safeParse(body);
  const first = refused.success && refused.data.errors[0];
  if (first) {
    const { code, detail } = first;
    const limit = visavisLimits.find((known) => known === first.limit);
    return { code, detail, ...(limit && { limit }) };
  }
  const limited = authErrorBodySchema.safeParse(body);
  return limited.success
    ? { code: limited.data.code, detail: limited.data.message }
    : { code: "", detail: "" };
}

/** Wait until a rate limit's reset, in ms, limited to 0–120 s in case a clock is wrong. */
export function retryAfterMs(headers: Headers, nowMs: number): number {
  const seconds = Number(headers.get("retry-after") ?? Number.NaN);
  const resetSec = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  const waitMs = Number.isFinite(seconds) ? seconds * 1000 : resetSec * 1000 - nowMs;
  return Number.isFinite(waitMs) ? Math.min(Math.max(waitMs, 0), 120_000) : 0;
}

/** Creates the error for an unsuccessful response. */
export async function relayFault(purpose: RelayPurpose, response: Response): Promise<RelayFault> {
  const body: unknown = await response.json().catch(() => null);
  const { code, detail, limit } = readErrorBody(body);
  const fault = new RelayFault(
    faultCode(purpose, response.status, code),
    detail || `The relay answered with status ${response.status}.`,
    response.status,
    response.status === 429 ? retryAfterMs(response.headers, Date.now()) : 0,
  );
  if (limit) fault.limit = limit;
  return fault;
}
