import type { Context } from "hono";
import {
  relaySessionRequestSchema,
  type RelaySessionRequest,
  type RelaySessionResponse,
} from "../../protocol/session/relay-session.ts";
import { fieldErrors } from "../../protocol/schema/field-errors.ts";
import type { SessionCreate } from "../../protocol/session/session.ts";
import { recognizerOf } from "../../protocol/settings/voice-settings.ts";
import type { Ticket } from "./admission.ts";
import { readJson } from "../limits/limited-body.ts";
import type { Visitor } from "./live-places.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayScope } from "../relay-scope.ts";
import {
  connectSession,
  createSession,
  reportEvent,
  sessionCreateBody,
  type CreatedSession,
  type OpenedSession,
} from "./session-create.ts";
import { ServiceTimeout } from "../service/service-request.ts";

async function readSessionRequest(request: Request): Promise<RelaySessionRequest> {
  const parsed = relaySessionRequestSchema.safeParse(await readJson(request), { reportInput: true });
  if (parsed.success) return parsed.data;
  throw RelayError.invalidFields(fieldErrors(parsed.error.issues));
}

/** Ends a session that nobody will use. Its places become free when the service confirms the end. */
async function abandon(
  scope: RelayScope,
  visitor: Visitor,
  sessionId: string,
  event: "SESSION_END" | "SESSION_ERROR",
  detail: string,
): Promise<void> {
  if (await reportEvent(scope.deps.service, sessionId, event, detail))
    await scope.admission.release(visitor, sessionId);
}

async function create(scope: RelayScope, ticket: Ticket, body: SessionCreate): Promise<CreatedSession> {
  const { service, clock } = scope.deps;
  try {
    return await createSession(service, clock, body);
  } catch (error) {
    const mayLive = error instanceof RelayError && error.cause instanceof ServiceTimeout;
    await scope.admission.withdraw(ticket, mayLive);
    throw error;
  }
}

async function open(
  scope: RelayScope,
  ticket: Ticket,
  body: SessionCreate,
  { client_sdp, video }: Pick<RelaySessionRequest, "client_sdp" | "video">,
): Promise<OpenedSession> {
  const session = await create(scope, ticket, body);
  await scope.admission.opened(ticket, session.session_id);
  try {
    const exchange = client_sdp && { client_sdp, ...(video && { video }) };
    return await connectSession(scope.deps.service, session, body, exchange);
  } catch (error) {
    await abandon(scope, ticket.visitor, session.session_id, "SESSION_ERROR", "The exchange failed.");
    throw error;
  }
}

/**
 * Opens a session for the browser. If the browser aborts the request meanwhile, the session is ended again.
 *
 * @throws RelayError
 */
export async function startSession(scope: RelayScope, c: Context): Promise<RelaySessionResponse> {
  const { clock, log, defaults } = scope.deps;
  const startedAtMs = clock.now();
  const request = await readSessionRequest(c.req.raw);
  const { context, origin } = await scope.admittedContext(c.req.raw, c.env, request.context_id);
  const visitor: Visitor = {
    contextId: context.context_id,
    address: await scope.addressOf(c.req.raw, c.env),
    visitorId: request.visitor_id ?? null,
  };
  const recognizer = await scope.catalogue.recognizer(recognizerOf(context.embed_config));
  const body = sessionCreateBody(context, request, { llmType: defaults.llmType, recognizer });
  const { session, serverSdp, video, iceServers } = await scope.fatalOffers.watch(
    request.client_sdp ? visitor.address : null,
    async () => open(scope, await scope.admission.admit(context, visitor), body, request),
  );
  const sessionId = session.session_id;
  if (c.req.raw.signal.aborted)
    await abandon(scope, visitor, sessionId, "SESSION_END", "The visitor left before the answer.");
  const { token, expiresAt } = await scope.tokens.sign({ ...visitor, sessionId, origin, startedAtMs });
  log.info("session opened", {
    context: context.context_id,
    mode: request.mode,
    ms: clock.now() - startedAtMs,
  });
  return {
    session,
    server_sdp: serverSdp,
    ...(video && { video }),
    ice_servers: iceServers,
    token,
    expires_at: expiresAt,
  };
}
