import { errorBodySchema } from "../../protocol/schema/error-body.ts";
import { within } from "../../timing/time-limit.ts";
import { RelayError } from "../relay-error.ts";
import type { ServiceCall } from "../relay-deps.ts";

/** Time limit of calls that only read or write a row. */
export const quickTimeoutMs = 4_000;
/** Time limit of calls that start an engine (exchange, first word or first sign of life of an answer). */
export const engineTimeoutMs = 15_000;
/** Time limit of calls that are answered by a voice or a recognizer: the longest that an engine's own setting allows, and a little. */
export const speechTimeoutMs = 610_000;

/** A call to the service: the time limit for its headers, and the caller's signal. */
export interface ServiceRequest {
  method?: "GET" | "POST" | "DELETE";
  headers?: Record<string, string>;
  body?: NonNullable<RequestInit["body"]>;
  timeoutMs?: number;
  signal?: AbortSignal;
}

/** A JSON body for `ServiceRequest`. */
export function jsonBody(value: unknown): Pick<ServiceRequest, "method" | "headers" | "body"> {
  return { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(value) };
}

/** The service did not respond in time. It may or may not have done what was requested. */
export class ServiceTimeout extends Error {
  override readonly name = "ServiceTimeout";
}

/**
 * The service's response as soon as its headers are there. The body may stream as long as `signal` allows.
 *
 * @throws RelayError engine_failed (503) when the service cannot be reached or does not answer in time.
 */
export async function requestService(
  service: ServiceCall,
  path: string,
  { timeoutMs = quickTimeoutMs, signal, ...init }: ServiceRequest = {},
): Promise<Response> {
  const abort = new AbortController();
  const onClientGone = () => abort.abort(signal?.reason);
  signal?.addEventListener("abort", onClientGone, { once: true });
  try {
    const answer = Promise.resolve(service(path, { ...init, signal: abort.signal }));
    return await within(timeoutMs, answer, () => {
      throw new ServiceTimeout(`No answer within ${timeoutMs} ms`);
    });
  } catch (cause) {
    abort.abort();
    throw RelayError.engineFailed(
      503,
      "The avatar service does not answer. Please try again in a minute.",
      cause,
    );
  }
}

/**
 * The service's response to a read.
 *
 * @throws RelayError engine_failed (503), also if the service responds with 429 or 5xx.
 */
export async function readService(service: ServiceCall, path: string): Promise<Response> {
  const response = await requestService(service, path);
  if (response.status !== 429 && response.status < 500) return response;
  await response.body?.cancel().catch(() => undefined);
  const cause = new Error(`A read answered ${response.status}`);
  throw RelayError.engineFailed(
    503,
    "The avatar service cannot answer now. Please try again in a minute.",
    cause,
  );
}

/** The error codes of a failed response, for mapping and logs; never its texts. */
export async function failureCodes(response: Response): Promise<string[]> {
  const body: unknown = await response.json().catch(() => null);
  const parsed = errorBodySchema.safeParse(body);
  if (parsed.success) return parsed.data.errors.map(({ code }) => code);
  const code = body !== null && typeof body === "object" && "code" in body ? body.code : null;
  return typeof code === "string" ? [code] : [];
}
