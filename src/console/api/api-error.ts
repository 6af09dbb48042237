import { authErrorBodySchema, errorBodySchema } from "../../protocol/schema/error-body.ts";

/** What went wrong with a request, as pages decide about it. */
export type ApiErrorCode =
  | "network"
  | "expired"
  | "wrong_password"
  | "forbidden"
  | "not_found"
  | "conflict"
  | "too_large"
  | "rate_limited"
  | "invalid"
  | "server"
  | "unreadable";

interface ApiErrorParts {
  status?: number;
  detail?: string;
  fields?: Record<string, string>;
  retryAfterSec?: number | null;
  attemptsLeft?: number | null;
  body?: unknown;
  cause?: unknown;
}

/** A request that failed. `message` is the server's reason in English, or empty. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ApiErrorCode;
  /** The HTTP status; 0 without an answer. */
  readonly status: number;
  /** Reasons by the field of the form, as dotted paths. */
  readonly fields: Readonly<Record<string, string>>;
  /** After how many seconds another attempt makes sense; null: unknown. */
  readonly retryAfterSec: number | null;
  /** How many passwords may still be tried this minute; null: unknown. */
  readonly attemptsLeft: number | null;
  /** The answer's body as it was parsed from JSON, for answers that contain more than reasons. */
  readonly body: unknown;

  constructor(code: ApiErrorCode, parts: ApiErrorParts = {}) {
    super(parts.detail ?? "", { cause: parts.cause });
    this.code = code;
    this.status = parts.status ?? 0;
    this.fields = parts.fields ?? {};
    this.retryAfterSec = parts.retryAfterSec ?? null;
    this.attemptsLeft = parts.attemptsLeft ?? null;
    this.body = parts.body;
  }

  /** No answer: the server does not run, or there is no network. */
  static network(cause: unknown): ApiError {
    return new ApiError("network", { cause });
  }

  /** An answer in a format that this console does not know, probably of another version. */
  static unreadable(cause: unknown): ApiError {
    return new ApiError("unreadable", { cause });
  }
}

const codes: Readonly<Record<number, ApiErrorCode>> = {
  400: "invalid",
  401: "expired",
  403: "forbidden",
  404: "not_found",
  409: "conflict",
  413: "too_large",
  415: "invalid",
  422: "invalid",
  429: "rate_limited",
};

function retryAfterSec(headers: Headers, nowMs: number): number | null {
  const after = Number(headers.get("retry-after") ?? Number.NaN);
  if (Number.isFinite(after)) return Math.max(0, after);
  const resetSec = Number(headers.get("x-ratelimit-reset") ?? Number.NaN);
  return Number.isFinite(resetSec) ? Math.max(0, Math.ceil(resetSec - nowMs / 1000)) : null;
}

function remaining(headers: Headers): number | null {
  const text = headers.get("x-ratelimit-remaining");
  return text !== null && /^\d+$/.test(text) ? Number(text) : null;
}

async function jsonOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch {
    return undefined;
  }
}

/** The error of an answer whose status says that the request failed. */
export async function errorOf(response: Response): Promise<ApiError> {
  const body = await jsonOf(response);
  const parsed = errorBodySchema.safeParse(body);
  const refusal = authErrorBodySchema.safeParse(body);
  const errors = parsed.success ? parsed.data.errors : [];
  const named = errors.flatMap(({ attr, detail }): [string, string][] =>
    attr === null ? [] : [[attr, detail]],
  );
  return new ApiError(codes[response.status] ?? (response.status >= 500 ? "server" : "invalid"), {
    status: response.status,
    detail: errors[0]?.detail ?? (refusal.success ? refusal.data.message : ""),
    fields: Object.fromEntries(named),
    retryAfterSec: retryAfterSec(response.headers, Date.now()),
    attemptsLeft: remaining(response.headers),
    body,
  });
}
