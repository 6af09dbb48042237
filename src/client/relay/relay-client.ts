import {
  type Answer,
  exchangeResponseSchema,
  type Offer,
  type VideoAnswer,
  type VideoRequest,
} from "../../protocol/session/exchange.ts";
import { type IceServer, iceServersSchema } from "../../protocol/session/ice.ts";
import type { LlmRequest } from "../../protocol/answers/llm-request.ts";
import {
  refreshedTokenHeader,
  type RelaySessionRequest,
  type RelaySessionResponse,
  relaySessionResponseSchema,
} from "../../protocol/session/relay-session.ts";
import {
  type EventOutcome,
  eventOutcomeSchema,
  type SessionEventKind,
} from "../../protocol/session/session-event.ts";
import { parseAnswer, relayRequest, type RelayRequest } from "./relay-request.ts";

/** The session's short-lived token. The relay renews it with heartbeats; the latest one is used. */
export class SessionToken {
  #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  get value(): string {
    return this.#value;
  }

  /** Takes a response's new token, if it has one. */
  refresh(value: string | null): void {
    if (value) this.#value = value;
  }
}

/** POST that creates a session and answers the offer, if there is one. Throws VisavisError. */
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
  /** How the service sends the video, if it says so. */
  video: VideoAnswer | undefined;
  /** The address of the session at the relay. */
  readonly base: string;
  readonly #token: SessionToken;

  /** The present token. */
  get token(): string {
    return this.#token.value;
  }

  constructor(relay: string, sessionId: string, token: SessionToken) {
    this.sessionId = sessionId;
    this.base = `${relay}/embed/v1/sessions/${encodeURIComponent(sessionId)}`;
    this.#token = token;
  }

  /** Sends an offer and returns the answer. On a live session this is an ICE restart or a new link. */
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

  /** Reports a lifecycle event. With `keepalive` the request outlives the page. */
  async report(event: SessionEventKind, detail?: string, keepalive = false): Promise<EventOutcome> {
    const body = { event, ...(detail && { detail }) };
    return parseAnswer(await this.#send("/event", { body, keepalive }), eventOutcomeSchema);
  }

  /** Announces that the page goes away, by a request that outlives it. The session ends soon unless it is taken up again. */
  async leave(): Promise<void> {
    await this.#send("/leave", { body: {}, keepalive: true });
  }

  /**
   * Asks the language model. The body is a stream of events. Only the caller's signal limits its time. `/llm/early`: the answer only
   * begins, and the body is empty.
   */
  async askModel(body: LlmRequest, signal: AbortSignal, path = "/llm"): Promise<Response> {
    return this.#send(path, { body, signal, timeoutMs: 0, headers: { accept: "text/event-stream" } });
  }

  async #send(path: string, request: Omit<RelayRequest, "url" | "purpose">): Promise<Response> {
    const response = await relayRequest({
      ...request,
      url: this.base + path,
      purpose: "session",
      headers: { ...request.headers, authorization: `Bearer ${this.#token.value}` },
    });
    this.#token.refresh(response.headers.get(refreshedTokenHeader));
    return response;
  }
}
