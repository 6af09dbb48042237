import { relayFault, type RelayPurpose } from "./relay-fault.ts";
import { VisavisError } from "./visavis-error.ts";

/** One request to the relay. */
export interface RelayRequest {
  url: string;
  purpose: RelayPurpose;
  /** Sent as JSON by POST; without it the request is a GET. */
  body?: unknown;
  headers?: Record<string, string>;
  /** Outlives the page. */
  keepalive?: boolean;
  signal?: AbortSignal;
  /** The answer's head is to be there by then; 0 leaves that to the signal. */
  timeoutMs?: number;
}

/** Sends a request; resolves with a successful answer. Throws VisavisError: `network`, or what the relay's refusal means. */
export async function relayRequest(request: RelayRequest): Promise<Response> {
  const { url, body, headers, keepalive = false, timeoutMs = 15_000 } = request;
  const signals = [request.signal, timeoutMs ? AbortSignal.timeout(timeoutMs) : undefined];
  let response: Response;
  try {
    response = await fetch(url, {
      method: body === undefined ? "GET" : "POST",
      // A request without a token goes out as plain text: nothing in it needs the browser to ask the relay beforehand.
      ...(headers && {
        headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      }),
      ...(body !== undefined && { body: JSON.stringify(body) }),
      credentials: "omit",
      keepalive,
      signal: AbortSignal.any(signals.filter((signal) => signal !== undefined)),
    });
  } catch (error) {
    throw new VisavisError("network", "The relay could not be reached. Check the connection.", error);
  }
  if (!response.ok) throw await relayFault(request.purpose, response);
  return response;
}

/** What is needed of a schema of protocol/. */
interface AnswerSchema<T> {
  safeParse(data: unknown): { success: true; data: T } | { success: false; error: unknown };
}

/** The answer's JSON by its schema. Throws VisavisError `invalid_response`. */
export async function parseAnswer<T>(response: Response, schema: AnswerSchema<T>): Promise<T> {
  const parsed = schema.safeParse(await response.json().catch(() => undefined));
  if (parsed.success) return parsed.data;
  throw new VisavisError("invalid_response", "The relay's answer could not be read.", parsed.error);
}
