import { fatalOfferCode } from "../protocol/fatal-offer.ts";
import { errorBodySchema } from "../protocol/error-body.ts";
import { formMaxBytes, jsonMaxBytes, readLimited } from "./limited-body.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayScope } from "./relay-scope.ts";
import { readSessionRecord } from "./session-record.ts";
import { failureCodes, requestService, type ServiceRequest } from "./service-request.ts";

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
    const resetSec = Number(response.headers.get("x-ratelimit-reset"));
    const nowMs = Date.now();
    const limit = Number(response.headers.get("x-ratelimit-limit") ?? 0);
    throw RelayError.rateLimited(limit, resetSec > 0 ? resetSec * 1000 : nowMs + 10_000, nowMs);
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
  { path, ...init }: ServiceRequest & { path: string },
): Promise<Response> {
  const session = `/api/v1/session/${encodeURIComponent(sessionId)}/`;
  const accept = request.headers.get("accept");
  const response = await requestService(scope.deps.service, path === "" ? session : `${session}${path}/`, {
    ...init,
    headers: { ...init.headers, ...(accept !== null && { Accept: accept }) },
    signal: request.signal,
  });
  if (response.status === 400 && (await hasEnded(scope, session))) throw RelayError.sessionLost();
  if (!response.ok) return failure(response);
  return new Response(response.body, {
    status: response.status,
    headers: {
      "Content-Type": response.headers.get("content-type") ?? "application/octet-stream",
      "Cache-Control": "no-store",
      "X-Accel-Buffering": "no",
    },
  });
}
