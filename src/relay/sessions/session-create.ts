import { chooseLanguage } from "../../languages/choose-language.ts";
import type { EmbedContext } from "../../protocol/settings/embed-context.ts";
import { errorBodySchema } from "../../protocol/schema/error-body.ts";
import {
  exchangeResponseSchema,
  type Answer,
  type ExchangeRequest,
  type ExchangeResponse,
  type VideoAnswer,
} from "../../protocol/session/exchange.ts";
import { fatalOfferCode } from "../../protocol/session/fatal-offer.ts";
import { iceServersSchema, type IceServer } from "../../protocol/session/ice.ts";
import {
  relaySessionResponseSchema,
  type RelaySessionRequest,
  type RelaySessionResponse,
} from "../../protocol/session/relay-session.ts";
import type { SessionCreate } from "../../protocol/session/session.ts";
import {
  sessionEventSchema,
  type SessionEvent,
  type SessionEventKind,
} from "../../protocol/session/session-event.ts";
import { RelayError } from "../relay-error.ts";
import type { RelayClock, ServiceCall } from "../relay-deps.ts";
import { engineTimeoutMs, failureCodes, jsonBody, requestService } from "../service/service-request.ts";

const createdSchema = relaySessionResponseSchema.shape.session;

/** A session as the service created it. */
export type CreatedSession = RelaySessionResponse["session"];

/** A session and what its media needs. */
export interface OpenedSession {
  session: CreatedSession;
  serverSdp: Answer | null;
  /** How the video is sent, if the service says so. */
  video: VideoAnswer | undefined;
  iceServers: IceServer[];
}

/** The engines of a session that its context does not decide alone. */
interface SessionEngines {
  /** The language model of contexts that name none. */
  readonly llmType: string;
  /** The recognizer, if the service has the one that the context names. */
  readonly recognizer: string | undefined;
}

/** The body of session create for a context: the owner's settings and what the visitor's mode needs. */
export function sessionCreateBody(
  context: EmbedContext,
  { mode, locale, variables }: RelaySessionRequest,
  { llmType: defaultLlmType, recognizer }: SessionEngines,
): SessionCreate {
  const { prompt, llm_type, document: documentId, mcp_servers, stage, ui } = context.embed_config;
  const language = {
    // Our service takes a context's UUID for the prompt made of its instructions and greeting.
    prompt: prompt ?? context.id,
    llm_type: llm_type ?? defaultLlmType,
    ...(documentId !== undefined && { document: documentId }),
    ...(mcp_servers !== undefined && { mcp_servers }),
    extra_data: {
      context_id: context.context_id,
      mode,
      locale: locale === undefined ? null : chooseLanguage([locale], ui?.languages),
      variables: variables ?? {},
    },
  };
  if (mode === "text") return { capability: ["LLM"], ...language };
  return {
    capability: ["STF_WEBRTC", "LLM", "TTS", ...(recognizer === undefined ? [] : ["STT" as const])],
    ...language,
    ...(recognizer !== undefined && { stt_type: recognizer }),
    tts_type: context.tts_type,
    model_style: context.model_style,
    ...(context.background_image && { background_image: context.background_image }),
    ...(stage?.padding_left !== undefined && { padding_left: stage.padding_left }),
    ...(stage?.padding_top !== undefined && { padding_top: stage.padding_top }),
    ...(stage?.padding_height !== undefined && { padding_height: stage.padding_height }),
  };
}

function sessionPath(sessionId: string, operation: string): string {
  return `/api/v1/session/${encodeURIComponent(sessionId)}/${operation}/`;
}

function resetOf(response: Response, clock: RelayClock): number {
  const resetSec = Number(response.headers.get("x-ratelimit-reset"));
  return resetSec > 0 ? resetSec * 1000 : clock.now() + 60_000;
}

const busyCode = /MAX_ACTIVE_SESSION/i;
const quotaCode = /QUOTA|CREDITS/i;

async function createFailure(response: Response, clock: RelayClock): Promise<RelayError> {
  if (response.status === 429) {
    const limit = Number(response.headers.get("x-ratelimit-limit") ?? 0);
    return RelayError.rateLimited(limit, resetOf(response, clock), clock.now());
  }
  const codes = await failureCodes(response);
  if (response.status === 403 && codes.some((code) => quotaCode.test(code))) {
    return RelayError.quotaExceeded(codes.some((code) => busyCode.test(code)) ? "busy" : "quota");
  }
  const status = response.status >= 500 ? 503 : 502;
  const cause = new Error(`Session create answered ${response.status} ${codes.join(" ")}`);
  return RelayError.engineFailed(status, "The avatar service could not create the session.", cause);
}

/**
 * Creates a session.
 *
 * @throws RelayError rate_limited, quota_exceeded, engine_failed. If its cause is a ServiceTimeout, the session may have
 * been created nevertheless.
 */
export async function createSession(
  service: ServiceCall,
  clock: RelayClock,
  body: SessionCreate,
): Promise<CreatedSession> {
  const response = await requestService(service, "/api/v1/session/", jsonBody(body));
  if (!response.ok) throw await createFailure(response, clock);
  const parsed = createdSchema.safeParse(await response.json().catch(() => null));
  if (parsed.success) return parsed.data;
  throw RelayError.engineFailed(502, "The avatar service sent an invalid session.", parsed.error);
}

/** Why the service refuses the offer. The service's own text names the line. */
async function offerRefusal(response: Response): Promise<RelayError> {
  const parsed = errorBodySchema.safeParse(await response.json().catch(() => null));
  const detail = parsed.success ? parsed.data.errors[0]?.detail : undefined;
  return RelayError.invalidRequest("invalid", detail ?? "The offer could not be used.", "client_sdp.sdp");
}

async function exchange(
  service: ServiceCall,
  sessionId: string,
  request: ExchangeRequest,
): Promise<ExchangeResponse> {
  const response = await requestService(service, sessionPath(sessionId, "exchange"), {
    ...jsonBody(request),
    timeoutMs: engineTimeoutMs,
  });
  if (response.status === 400) throw await offerRefusal(response);
  const body: unknown = response.ok ? await response.json().catch(() => null) : null;
  const parsed = exchangeResponseSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  if (response.status >= 500 && (await failureCodes(response)).includes(fatalOfferCode))
    throw RelayError.fatalOffer();
  const status = response.status >= 500 ? 503 : 502;
  throw RelayError.engineFailed(status, "The avatar service could not connect the session.");
}

/** Fetches ICE servers. They are optional: a direct connection may work without them. */
async function iceServers(service: ServiceCall, sessionId: string): Promise<IceServer[]> {
  try {
    const response = await requestService(service, sessionPath(sessionId, "ice-servers"));
    const parsed = iceServersSchema.safeParse(await response.json());
    return parsed.success ? parsed.data.ice_servers : [];
  } catch {
    return [];
  }
}

/**
 * Reports an event of a session to the service. Returns the service's response; null if it refused or is not reachable.
 * Then the session's lease ends it.
 */
export async function reportEvent(
  service: ServiceCall,
  sessionId: string,
  event: SessionEventKind,
  detail: string,
): Promise<SessionEvent | null> {
  try {
    const response = await requestService(
      service,
      sessionPath(sessionId, "event/create"),
      jsonBody({ event, detail }),
    );
    const parsed = sessionEventSchema.safeParse(response.ok ? await response.json() : null);
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

/**
 * Exchanges the offer of a session that was just created, if there is an offer.
 *
 * @throws RelayError engine_failed, invalid.
 */
export async function connectSession(
  service: ServiceCall,
  session: CreatedSession,
  body: SessionCreate,
  request: ExchangeRequest | undefined,
): Promise<OpenedSession> {
  if (!body.capability?.includes("STF_WEBRTC"))
    return { session, serverSdp: null, video: undefined, iceServers: [] };
  const [answer, servers] = await Promise.all([
    request ? exchange(service, session.session_id, request) : null,
    iceServers(service, session.session_id),
  ]);
  return {
    session: { ...session, status: answer ? "EXCHANGED" : session.status },
    serverSdp: answer?.server_sdp ?? null,
    video: answer?.video,
    iceServers: servers,
  };
}
