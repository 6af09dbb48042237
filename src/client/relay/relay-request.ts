import type { RelayPurpose } from "./relay-fault.ts";
import { VisavisError } from "../visavis-error.ts";

/** One request to the relay. */
export interface RelayRequest {
  url: string;
  purpose: RelayPurpose;
  /** Sent as JSON by POST. Without it the request is a GET. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Outlives the page. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** Time limit for the response headers, in ms; 0: only the signal limits it. */
  timeoutMs?: number;
}

/** Sends a request. Resolves with a successful response. Throws VisavisError: `network`, `media_unsupported`, or the code of the refusal. */
export async function relayRequest(request: RelayRequest): Promise<Response> {
  const { url, body, headers, keepalive = false, timeoutMs = 15_000 } = request;
  const signals = [request.signal, timeoutMs ? AbortSignal.timeout(timeoutMs) : undefined];
  let response: Response;
  try {
    response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      // A request without a token is sent as plain text, which needs no CORS preflight.
      ...(headers && {
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: "omit",
      keepalive,
      signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
    });
  } catch (error) {
    // An old browser has failed before it asked.
    if (!("any" in AbortSignal))
      throw new VisavisError("media_unsupported", "This browser is too old.", error);
    throw new VisavisError("network", "The relay could not be reached. Check the connection.", error);
  }
  if (response.ok) return response;
  // Fetched when it is needed: most sessions are never refused.
  const { relayFault } = await import("./relay-refusal.ts");
  throw await relayFault(request.purpose, response);
}

/** The part of a schema that is needed here. */
interface AnswerSchema<T> {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: unknown };
}

/** Parses the response's JSON by its schema. Throws VisavisError `invalid_response`. */
export async function parseAnswer<T>(response: Response, schema: AnswerSchema<T>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new VisavisError("invalid_response", "The relay's answer is not valid. Try again.", parsed.error);
}
