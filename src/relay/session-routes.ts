import { Hono, type Context } from "hono";
import { refreshedTokenHeader } from "../protocol/relay-api.ts";
import { sessionEventSchema, type SessionEvent } from "../protocol/session-event.ts";
import { sessionViewSchema } from "../protocol/session-view.ts";
import { forward, sessionBody } from "./forward.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayScope } from "./relay-scope.ts";
import { reportEvent } from "./session-create.ts";
import { startSession } from "./session-start.ts";
import type { SessionClaims } from "./session-token.ts";
import { engineTimeoutMs, type ServiceRequest } from "./service-request.ts";

const sessionIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
const bearerPattern = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i;

/** The claims of the request's token. @throws RelayError session_lost. */
async function authorize(scope: RelayScope, c: Context): Promise<SessionClaims> {
  const sessionId = c.req.param("sessionId") ?? "";
  const token = bearerPattern.exec(c.req.header("authorization") ?? "")?.[1];
  const origin = scope.requestOrigin(c.req.raw);
  if (!sessionIdPattern.test(sessionId) || token === undefined || origin === null)
    throw RelayError.sessionLost();
  return scope.tokens.verify(token, sessionId, origin);
}

/**
 * Ends a session whose context is no longer its page's to use.
 *
 * @throws RelayError engine_failed (503) where the service could not be told; the next heartbeat tries again.
 */
async function revoke(scope: RelayScope, claims: SessionClaims, why: RelayError): Promise<SessionEvent> {
  const { service, log } = scope.deps;
  const detail = `Ended by the relay: ${why.message}`;
  const event = await reportEvent(service, claims.sessionId, "SESSION_END", detail);
  if (event === null)
    throw RelayError.engineFailed(503, "The avatar service does not answer. Please try again in a minute.");
  await scope.admission.release(claims, claims.sessionId);
  log.info("session revoked", { context: claims.contextId, reason: why.code });
  return event;
}

/**
 * Passes a request on to the session's own operation. A session that the service no longer knows gives its places back.
 *
 * @throws RelayError
 */
async function pass(
  scope: RelayScope,
  c: Context,
  claims: SessionClaims,
  request: ServiceRequest & { path: string },
): Promise<Response> {
  try {
    return await forward(scope, c.req.raw, claims.sessionId, request);
  } catch (error) {
    if (error instanceof RelayError && error.code === "session_lost")
      await scope.admission.release(claims, claims.sessionId);
    throw error;
  }
}

/** The same for everything but events: a session whose context was taken away is ended and refused. */
async function passAllowed(
  scope: RelayScope,
  c: Context,
  claims: SessionClaims,
  request: ServiceRequest & { path: string },
): Promise<Response> {
  const why = await scope.revocation(c.req.raw, claims);
  if (why === null) return pass(scope, c, claims, request);
  await revoke(scope, claims, why);
  throw why;
}

const endings = new Set(["SESSION_END", "SESSION_ERROR"]);
const signsOfLife = new Set(["SESSION_START", "SESSION_DURING"]);

/** Passes an event on; a heartbeat refreshes the token and keeps the visitor's places, an end gives them back. */
async function passEvent(scope: RelayScope, c: Context): Promise<Response> {
  const claims = await authorize(scope, c);
  const { contextId, sessionId, startedAtMs } = claims;
  const why = await scope.revocation(c.req.raw, claims);
  if (why !== null) {
    const ended = await revoke(scope, claims, why);
    const reason = ended.terminate_reason ?? "SESSION_EVENT_GRACEFUL_TERMINATION";
    return c.json({ ...ended, file: null, terminate: true, terminate_reason: reason }, 201);
  }
  const body = await sessionBody(scope, c.req.raw, sessionId, "json-or-form");
  const answer = await pass(scope, c, claims, { path: "event/create", ...body });
  if (!answer.ok) return answer;
  const event = sessionEventSchema.safeParse(await answer.json());
  if (!event.success) throw RelayError.engineFailed(502, "The avatar service describes the event wrongly.");
  const { event: kind, terminate, terminate_reason: reason } = event.data;
  // The stored file's address is the service's own.
  const told = { ...event.data, file: null };
  if (terminate || endings.has(kind)) {
    await scope.admission.release(claims, sessionId);
    scope.deps.log.info("session over", { context: contextId, reason });
    return c.json(told, 201);
  }
  if (!signsOfLife.has(kind)) return c.json(told, 201);
  await scope.admission.renew(claims, sessionId, startedAtMs);
  const { token } = await scope.tokens.sign(claims);
  return c.json(told, 201, { [refreshedTokenHeader]: token });
}

async function retrieve(scope: RelayScope, c: Context): Promise<Response> {
  const answer = await passAllowed(scope, c, await authorize(scope, c), { path: "" });
  if (!answer.ok) return answer;
  const view = sessionViewSchema.safeParse(await answer.json());
  if (view.success) return c.json(view.data, 200, { "Cache-Control": "no-store" });
  throw RelayError.engineFailed(502, "The avatar service describes the session wrongly.", view.error);
}

const passedOperations = [
  { name: "exchange", path: "exchange", body: "json" },
  { name: "tts", path: "tts", body: "json" },
  { name: "llm", path: "llm/v2", body: "json" },
  { name: "stt", path: "stt", body: "form" },
] as const;

/** POST /sessions and everything under /sessions/{session_id}/. */
export function sessionRoutes(scope: RelayScope): Hono {
  const routes = new Hono({ strict: false });
  routes.post("/sessions", async (c) =>
    c.json(await startSession(scope, c), 201, { "Cache-Control": "no-store" }),
  );
  routes.get("/sessions/:sessionId", (c) => retrieve(scope, c));
  routes.get("/sessions/:sessionId/ice-servers", async (c) =>
    passAllowed(scope, c, await authorize(scope, c), { path: "ice-servers" }),
  );
  routes.post("/sessions/:sessionId/event", (c) => passEvent(scope, c));
  for (const { name, path, body } of passedOperations) {
    routes.post(`/sessions/:sessionId/${name}`, async (c) => {
      const claims = await authorize(scope, c);
      const sent = await sessionBody(scope, c.req.raw, claims.sessionId, body);
      const work = () => passAllowed(scope, c, claims, { path, timeoutMs: engineTimeoutMs, ...sent });
      if (name !== "exchange") return work();
      return scope.fatalOffers.watch(await scope.addressOf(c.req.raw, c.env), work);
    });
  }
  return routes;
}
