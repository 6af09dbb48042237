import {
  exchangeResponseSchema,
  type Answer,
  type Offer,
  type VideoAnswer,
  type VideoRequest,
} from "../protocol/exchange.ts";
import { iceServersSchema, type IceServer } from "../protocol/ice.ts";
import type { LlmRequest } from "../protocol/llm-stream.ts";
import {
  publicContextSchema,
  refreshedTokenHeader,
  relaySessionResponseSchema,
  type PublicContext,
  type RelaySessionRequest,
  type RelaySessionResponse,
} from "../protocol/relay-api.ts";
import { sessionEventSchema, type SessionEvent, type SessionEventKind } from "../protocol/session-event.ts";
import { parseAnswer, relayRequest, type RelayRequest } from "./relay-request.ts";
import type { SessionToken } from "./session-token.ts";

/** GET of the context's public view. Throws VisavisError. */
export async function fetchContext(relay: string, contextId: string): Promise<PublicContext> {
  const url = `${relay}/embed/v1/contexts/${encodeURIComponent(contextId)}`;
  return parseAnswer(await relayRequest({ url, purpose: "context" }), publicContextSchema);
}

/** POST that creates a session and, with an offer, answers it too. Throws VisavisError. */
export async function createRelaySession(
  relay: string,
  body: RelaySessionRequest,
): Promise<RelaySessionResponse> {
  const url = `${relay}/embed/v1/sessions`;
  return parseAnswer(await relayRequest({ url, purpose: "create", body }), relaySessionResponseSchema);
}

/** The stage lays the avatar over the page's own background. */
export const wantedVideo: VideoRequest = { matte: "packed-alpha" };

/** The session-scoped operations of the relay. Every method throws VisavisError. */
export class SessionRelay {
  readonly sessionId: string;
  /** How the service says that it sends the video; other services say nothing. */
  video: VideoAnswer | undefined;
  readonly #base: string;
  readonly #token: SessionToken;

  constructor(relay: string, sessionId: string, token: SessionToken) {
    this.sessionId = sessionId;
    this.#base = `${relay}/embed/v1/sessions/${encodeURIComponent(sessionId)}`;
    this.#token = token;
  }

  /** Sends an offer, takes the answer; on a live session this is a restart or a rejoin. */
  async exchange(offer: Offer, signal: AbortSignal): Promise<Answer> {
    const response = await this.#send("/exchange", {
      body: { client_sdp: offer, video: wantedVideo },
      signal,
    });
    const { server_sdp, video } = await parseAnswer(response, exchangeResponseSchema);
    this.video = video;
    return server_sdp;
  }

  async iceServers(signal: AbortSignal): Promise<IceServer[]> {
    return (await parseAnswer(await this.#send("/ice-servers", { signal }), iceServersSchema)).ice_servers;
  }

  /** Reports a lifecycle event; with `keepalive` the request outlives the page. */
  async report(event: SessionEventKind, detail?: string, keepalive = false): Promise<SessionEvent> {
    const body = { event, ...(detail && { detail }) };
    return parseAnswer(await this.#send("/event", { body, keepalive }), sessionEventSchema);
  }

  /** Asks the language model; the body is a stream of events. The caller's signal is the only limit of time. */
  async askModel(body: LlmRequest, signal: AbortSignal): Promise<Response> {
    return this.#send("/llm", { body, signal, timeoutMs: 0, headers: { accept: "text/event-stream" } });
  }

  async #send(path: string, request: Omit<RelayRequest, "url" | "purpose">): Promise<Response> {
    const response = await relayRequest({
      ...request,
      url: this.#base + path,
      purpose: "session",
      headers: { ...request.headers, authorization: `Bearer ${this.#token.value}` },
    });
    this.#token.refresh(response.headers.get(refreshedTokenHeader));
    return response;
  }
}
