import { fatalOfferCode } from "../../protocol/session/fatal-offer.ts";
import { errorBodySchema } from "../../protocol/schema/error-body.ts";
import { formMaxBytes, jsonMaxBytes, readLimited } from "../limits/limited-body.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayScope } from "../relay-scope.ts";
import { readSessionRecord } from "./live-places.ts";
import { failureCodes, requestService, type ServiceRequest } from "../service/service-request.ts";

/** Which bodies an operation accepts. */
export type BodyKind = "json" | "form" | "json-or-form";

const jsonType = /^application\/json(?:;|$)/i;
const formType = /^multipart\/form-data;/i;

/**
 * Reads the request's body, within its limit, for the service. A file is not read if the session is over.
 *
 * @throws RelayError session_lost, unsupported_media_type (415), max_length (413).
 */
export async function sessionBody(
  { deps }: RelayScope,
  request: Request,
  sessionId: string,
  kind: BodyKind,
): Promise<Pick<ServiceRequest, "method" | "headers" | "body">> {
  const contentType = request.headers.get("content-type") ?? "";
  const isJson = jsonType.test(contentType) && kind !== "form";
  const isForm = formType.test(contentType) && kind !== "json";
  if (!isJson && !isForm)
    throw new RelayError("unsupported_media_type", 415, "This operation does not accept this kind of body.");
  if (isForm && (await readSessionRecord(deps.service, sessionId)).state === "gone")
    throw RelayError.sessionLost();
  const body = await readLimited(request, isJson ? jsonMaxBytes : formMaxBytes);
  return { method: "POST", headers: { "Content-Type": contentType }, body };
}

/** A failure of the service as a browser may read it: faults of the request unchanged, everything else in our words. */
async function failure(response: Response): Promise<Response> {
  if (response.status === 404 || response.status === 410) throw RelayError.sessionLost();
  if (response.status === 429) {
    const number = (name: string): number => Number(response.headers.get(name));
    const nowMs = Date.now();
    const resetMs = number("x-ratelimit-reset") * 1000;
    // How long to wait says more than until when: the service's clock may be another one.
    const waitMs = number("retry-after") * 1000 || (resetMs > 0 ? resetMs - nowMs : 10_000);
    throw RelayError.rateLimited(number("x-ratelimit-limit"), nowMs + waitMs, nowMs);
  }
  if (response.status >= 500) {
    if ((await failureCodes(response)).includes(fatalOfferCode)) throw RelayError.fatalOffer();
    throw RelayError.engineFailed(503, "The avatar service failed. Please try again in a minute.");
  }
  const parsed = errorBodySchema.safeParse(await response.json().catch(() => null));
  if (!parsed.success || response.status === 401) {
    throw RelayError.engineFailed(502, "The avatar service refused the request.");
  }
  return Response.json(parsed.data, { status: response.status, headers: { "Cache-Control": "no-store" } });
}

/** Whether a session is over. Services refuse requests after a session's end as faults of the request. */
async function hasEnded(scope: RelayScope, session: string): Promise<boolean> {
  const response = await requestService(scope.deps.service, session);
  const body: unknown = await response.json().catch(() => null);
  return typeof body === "object" && body !== null && "status" in body && body.status === "TERMINATED";
}

/**
 * Passes a request on to the session's own operation and streams the response back, unbuffered. If the browser aborts the
 * request, the service's request is aborted too.
 *
 * @throws RelayError session_lost, rate_limited, engine_failed.
 */
export async function forward(
  scope: RelayScope,
  request: Request,
  sessionId: string,
  { path, query = "", ...init }: ServiceRequest & { path: string; query?: string },
): Promise<Response> {
  const session = `/api/v1/session/${encodeURIComponent(sessionId)}/`;
  const accept = request.headers.get("accept");
  const response = await requestService(
    scope.deps.service,
    path === "" ? session : `${session}${path}/${query}`,
    {
      ...init,
      headers: { ...init.headers, ...(accept !== null && { Accept: accept }) },
      signal: request.signal,
    },
  );
  if (response.status === 400 && (await hasEnded(scope, session))) throw RelayError.sessionLost();
  if (!response.ok) return failure(response);
  return new Response(response.body, {
    status: response.status,
    headers: {
      "Content-Type": response.headers.get("content-type") ?? "application/octet-stream",
      "Cache-Control": "no-store, no-transform",
      "X-Accel-Buffering": "no",
    },
  });
}
