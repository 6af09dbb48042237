import { Hono, type Context } from "hono";
import { leaveResponseSchema } from "../../protocol/session/exchange.ts";
import { refreshedTokenHeader } from "../../protocol/session/relay-session.ts";
import {
  dayLimitReason,
  heartbeatKinds,
  sessionEventSchema,
  type SessionEvent,
} from "../../protocol/session/session-event.ts";
import { sessionViewSchema } from "../../protocol/session/session-view.ts";
import { type BodyKind, forward, sessionBody } from "./forward.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayScope } from "../relay-scope.ts";
import { reportEvent } from "./session-create.ts";
import { startSession } from "./session-start.ts";
import type { SessionClaims } from "./session-token.ts";
import { engineTimeoutMs, requestService, speechTimeoutMs } from "../service/service-request.ts";

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
 * Ends a session whose page may no longer use the context.
 *
 * @throws RelayError engine_failed (503) if the service cannot be reached; the next heartbeat tries again.
 */
async function revoke(scope: RelayScope, claims: SessionClaims, why: RelayError): Promise<SessionEvent> {
  const { service, log } = scope.deps;
  const detail = `Ended by the relay: ${why.message}`;
  const event = await reportEvent(service, claims.sessionId, "SESSION_END", detail);
  if (event === null)
    throw RelayError.engineFailed(503, "The avatar service does not answer. Please try again in a minute.");
  await scope.admission.release(claims, claims.sessionId);
  log.info("session revoked", { context: claims.contextId, reason: why.limit ?? why.code });
  return event;
}

/**
 * Passes a request on to the session's own operation. If the service no longer knows the session, its places are given back.
 *
 * @throws RelayError
 */
async function pass(
  scope: RelayScope,
  c: Context,
  claims: SessionClaims,
  request: Parameters<typeof forward>[3],
): Promise<Response> {
  try {
    return await forward(scope, c.req.raw, claims.sessionId, request);
  } catch (error) {
    if (error instanceof RelayError && error.code === "session_lost")
      await scope.admission.release(claims, claims.sessionId);
    throw error;
  }
}

/** The same for everything but events: a session whose page may no longer use the context is ended, and the request refused. */
async function passAllowed(
  scope: RelayScope,
  c: Context,
  claims: SessionClaims,
  request: Parameters<typeof forward>[3],
): Promise<Response> {
  const why = await scope.revocation(c.req.raw, claims);
  if (why === null) return pass(scope, c, claims, request);
  await revoke(scope, claims, why);
  throw why;
}

const endings = new Set(["SESSION_END", "SESSION_ERROR"]);

/** Passes an event on. A heartbeat refreshes the token and keeps the visitor's places; an end gives them back. */
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
  if (!event.success) throw RelayError.engineFailed(502, "The avatar service sent an invalid event.");
  const { event: kind, terminate, terminate_reason: reason } = event.data;
  // Browsers must not see the stored file's address at the service.
  const reported = { ...event.data, file: null };
  if (terminate || endings.has(kind)) {
    await scope.admission.release(claims, sessionId);
    scope.deps.log.info("session over", { context: contextId, reason });
    return c.json(reported, 201);
  }
  if (!heartbeatKinds.has(kind)) return c.json(reported, 201);
  await scope.admission.renew(claims, sessionId, startedAtMs);
  const dayLeftMs = await scope.dayLeftMs(claims);
  if (dayLeftMs === 0) {
    await revoke(scope, claims, RelayError.quotaExceeded("day"));
    return c.json({ ...reported, terminate: true, terminate_reason: dayLimitReason }, 201);
  }
  const leftSec = timeLeftSec(reported, dayLeftMs);
  const { token } = await scope.tokens.sign(claims);
  return c.json({ ...reported, ...(leftSec !== null && { time_left_sec: leftSec }) }, 201, {
    [refreshedTokenHeader]: token,
  });
}

/** The seconds until the session's own time or the context's of today is used up; null without a limit. */
function timeLeftSec({ time_left_sec: ofSession }: SessionEvent, dayLeftMs: number | null): number | null {
  const leftSec = Math.min(
    ofSession ?? Infinity,
    dayLeftMs === null ? Infinity : Math.ceil(dayLeftMs / 1000),
  );
  return Number.isFinite(leftSec) ? leftSec : null;
}

/**
 * Announces to the service that the session's page is going away. A service that does not know this gets END at once: the
 * page is gone and cannot send it.
 */
async function passLeave(scope: RelayScope, c: Context): Promise<Response> {
  const claims = await authorize(scope, c);
  const { sessionId } = claims;
  const path = `/api/v1/session/${encodeURIComponent(sessionId)}/leave/`;
  const answer = await requestService(scope.deps.service, path, { method: "POST" });
  const leave = leaveResponseSchema.safeParse(answer.ok ? await answer.json().catch(() => null) : null);
  if (leave.success) return c.json(leave.data);
  await reportEvent(scope.deps.service, sessionId, "SESSION_END", "The page was left.");
  await scope.admission.release(claims, sessionId);
  return c.json({ ends_at: new Date(scope.deps.clock.now()).toISOString() });
}

async function retrieve(scope: RelayScope, c: Context): Promise<Response> {
  const answer = await passAllowed(scope, c, await authorize(scope, c), { path: "" });
  if (!answer.ok) return answer;
  const view = sessionViewSchema.safeParse(await answer.json());
  if (view.success) return c.json(view.data, 200, { "Cache-Control": "no-store" });
  throw RelayError.engineFailed(502, "The avatar service sent an invalid session.", view.error);
}

/** An operation whose requests are passed on as they come. */
interface PassedOperation {
  readonly name: string;
  readonly path: string;
  readonly body: BodyKind;
  /** Default: that of calls which start an engine. */
  readonly timeoutMs?: number;
}

const passedOperations: readonly PassedOperation[] = [
  { name: "exchange", path: "exchange", body: "json" },
  { name: "tts", path: "tts", body: "json", timeoutMs: speechTimeoutMs },
  { name: "llm", path: "llm/v2", body: "json" },
  { name: "llm/early", path: "llm/v2/early", body: "json" },
  { name: "person", path: "person", body: "json" },
  { name: "message", path: "message", body: "json" },
  { name: "stt", path: "stt", body: "form", timeoutMs: speechTimeoutMs },
  { name: "attachment", path: "attachment", body: "form" },
];

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
  // A stream as long as the session: it says by itself that it is alive.
  routes.get("/sessions/:sessionId/person", async (c) =>
    passAllowed(scope, c, await authorize(scope, c), { path: "person", query: new URL(c.req.url).search }),
  );
  routes.post("/sessions/:sessionId/event", (c) => passEvent(scope, c));
  routes.post("/sessions/:sessionId/leave", (c) => passLeave(scope, c));
  routes.delete("/sessions/:sessionId/attachment/:attachmentId", async (c) => {
    const claims = await authorize(scope, c);
    const path = `attachment/${encodeURIComponent(c.req.param("attachmentId"))}`;
    return passAllowed(scope, c, claims, { path, method: "DELETE" });
  });
  for (const { name, path, body, timeoutMs = engineTimeoutMs } of passedOperations) {
    routes.post(`/sessions/:sessionId/${name}`, async (c) => {
      const claims = await authorize(scope, c);
      const sent = await sessionBody(scope, c.req.raw, claims.sessionId, body);
      const work = () => passAllowed(scope, c, claims, { path, timeoutMs, ...sent });
      if (name !== "exchange") return work();
      return scope.fatalOffers.watch(await scope.addressOf(c.req.raw, c.env), work);
    });
  }
  return routes;
}
