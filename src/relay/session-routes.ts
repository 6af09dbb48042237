import { Hono, type Context } from "hono";
import {
  refreshedTokenHeader,
  relaySessionRequestSchema,
  type RelaySessionRequest,
  type RelaySessionResponse,
} from "../protocol/relay-api.ts";
import { sessionEventSchema } from "../protocol/session-event.ts";
import { sessionViewSchema } from "../protocol/session-view.ts";
import type { Visitor } from "./admission.ts";
import { forward, sessionBody } from "./forward.ts";
import { readJson } from "./limited-body.ts";
import { RelayError } from "./relay-error.ts";
import type { RelayScope } from "./relay-scope.ts";
import { openSession, reportEvent, sessionCreateBody, type OpenedSession } from "./session-create.ts";
import type { SessionClaims } from "./session-token.ts";
import { engineTimeoutMs } from "./service-request.ts";

const sessionIdPattern = /^[A-Za-z0-9_-]{8,128}$/;
const bearerPattern = /^Bearer +([A-Za-z0-9._-]{1,4096})$/i;

async function readSessionRequest(request: Request): Promise<RelaySessionRequest> {
  const parsed = relaySessionRequestSchema.safeParse(await readJson(request));
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw RelayError.invalidRequest(
    "invalid",
    "The session request is not valid.",
    issue?.path.join(".") ?? null,
  );
}

/** The opened session for the browser. When the browser left while it was opened, the session is ended again. */
async function startSession(scope: RelayScope, c: Context): Promise<RelaySessionResponse> {
  const { service, clock, log, defaults } = scope.deps;
  const startedAtMs = clock.now();
  const request = await readSessionRequest(c.req.raw);
  const { context, origin } = await scope.admittedContext(c.req.raw, request.context_id);
  const visitor: Visitor = {
    contextId: context.context_id,
    address: scope.clientAddress(c.req.raw, c.env),
    visitorId: request.visitor_id ?? null,
  };
  const holder = crypto.randomUUID();
  await scope.admission.admit(context, visitor, holder);
  let opened: OpenedSession;
  try {
    const body = sessionCreateBody(context, request, defaults.llmType);
    opened = await openSession(service, clock, body, request.client_sdp);
  } catch (error) {
    await scope.admission.release(visitor, holder);
    throw error;
  }
  const { session, serverSdp, iceServers } = opened;
  if (c.req.raw.signal.aborted) {
    await reportEvent(service, session.session_id, "SESSION_END", "The visitor left before the answer.");
    await scope.admission.release(visitor, holder);
  }
  const { token, expiresAt } = await scope.tokens.sign({
    sessionId: session.session_id,
    contextId: context.context_id,
    origin,
    holder,
    visitorId: visitor.visitorId,
  });
  log.info("session opened", {
    context: context.context_id,
    mode: request.mode,
    ms: clock.now() - startedAtMs,
  });
  return { session, server_sdp: serverSdp, ice_servers: iceServers, token, expires_at: expiresAt };
}

/** The claims of the request's token. @throws RelayError session_lost. */
async function authorize(scope: RelayScope, c: Context): Promise<SessionClaims> {
  const sessionId = c.req.param("sessionId") ?? "";
  const token = bearerPattern.exec(c.req.header("authorization") ?? "")?.[1];
  const origin = scope.requestOrigin(c.req.raw);
  if (!sessionIdPattern.test(sessionId) || token === undefined || origin === null)
    throw RelayError.sessionLost();
  return scope.tokens.verify(token, sessionId, origin);
}

/** Passes an event on; a heartbeat refreshes the token and keeps the visitor's place, an end gives it back. */
async function passEvent(scope: RelayScope, c: Context): Promise<Response> {
  const claims = await authorize(scope, c);
  const answer = await forward(scope, c.req.raw, claims.sessionId, {
    path: "event/create",
    ...(await sessionBody(c.req.raw, "json-or-form")),
  });
  if (!answer.ok) return answer;
  const event = sessionEventSchema.safeParse(await answer.json());
  if (!event.success) throw RelayError.engineFailed(502, "The avatar service describes the event wrongly.");
  const { contextId, holder, visitorId } = claims;
  const visitor: Visitor = { contextId, visitorId, address: scope.clientAddress(c.req.raw, c.env) };
  // The stored file's address is the service's own.
  const body = { ...event.data, file: null };
  if (event.data.terminate) {
    await scope.admission.release(visitor, holder);
    scope.deps.log.info("session over", { context: contextId, reason: event.data.terminate_reason });
    return c.json(body, 201);
  }
  if (event.data.event !== "SESSION_START" && event.data.event !== "SESSION_DURING") return c.json(body, 201);
  await scope.admission.renew(visitor, holder, claims.issuedAtMs);
  const { token } = await scope.tokens.sign(claims);
  return c.json(body, 201, { [refreshedTokenHeader]: token });
}

/** POST /sessions and everything under /sessions/{session_id}/. */
export function sessionRoutes(scope: RelayScope): Hono {
  const routes = new Hono({ strict: false });
  routes.post("/sessions", async (c) =>
    c.json(await startSession(scope, c), 201, { "Cache-Control": "no-store" }),
  );

  routes.get("/sessions/:sessionId", async (c) => {
    const { sessionId } = await authorize(scope, c);
    const answer = await forward(scope, c.req.raw, sessionId, { path: "" });
    if (!answer.ok) return answer;
    const view = sessionViewSchema.safeParse(await answer.json());
    if (view.success) return c.json(view.data, 200, { "Cache-Control": "no-store" });
    throw RelayError.engineFailed(502, "The avatar service describes the session wrongly.", view.error);
  });
  routes.get("/sessions/:sessionId/ice-servers", async (c) => {
    const { sessionId } = await authorize(scope, c);
    return forward(scope, c.req.raw, sessionId, { path: "ice-servers" });
  });
  routes.post("/sessions/:sessionId/event", (c) => passEvent(scope, c));

  const passed = [
    { name: "exchange", path: "exchange", body: "json" },
    { name: "tts", path: "tts", body: "json" },
    { name: "llm", path: "llm/v2", body: "json" },
    { name: "stt", path: "stt", body: "form" },
  ] as const;
  for (const { name, path, body } of passed) {
    routes.post(`/sessions/:sessionId/${name}`, async (c) => {
      const { sessionId } = await authorize(scope, c);
      const sent = await sessionBody(c.req.raw, body);
      return forward(scope, c.req.raw, sessionId, { path, timeoutMs: engineTimeoutMs, ...sent });
    });
  }
  return routes;
}
