import type { Answer } from "../../protocol/session/exchange.ts";
import type { RelaySessionRequest } from "../../protocol/session/relay-session.ts";
import { Call } from "./call.ts";
import type { ConnectionHost } from "./connection-host.ts";
import type { KeptSession } from "../conversation/conversation-keeper.ts";
import { AvatarConnection } from "./avatar-connection.ts";
import { hasPeers } from "../session-mode.ts";
import type { PreparedOffer } from "./prepared-offer.ts";
import { createRelaySession, SessionRelay, SessionToken, wantedVideo } from "../relay/relay-client.ts";

/** Options for opening a call. */
export interface CallRequest extends ConnectionHost {
  readonly relay: string;
  readonly body: Omit<RelaySessionRequest, "client_sdp">;
  readonly offers: PreparedOffer;
  /** Whether the service can be reached directly. Otherwise the offer waits for the session's ice_servers. */
  readonly direct: boolean;
  /** The session of the tab's last page, to be taken up again instead of a new one. */
  readonly kept: KeptSession | null;
  /** Closes the media at once. The request goes on, because only its response says which session must be ended. */
  readonly signal: AbortSignal;
}

/** Creates the session and sends the media offer in one round trip. Throws VisavisError and then leaves nothing open. */
export async function openCall(request: CallRequest): Promise<{ call: Call; answer: Answer | null }> {
  const { mode } = request.body;
  const media = mode === "text" || !hasPeers() ? null : request.offers.take();
  request.signal.addEventListener("abort", () => media?.link.close());
  try {
    // With a prepared offer the request is sent in the click's own task, before anything is drawn.
    const offer = request.direct ? (media?.ready ?? (await media?.offer)) : undefined;
    if (request.kept) {
      const { takeUp } = await import("./session-resumption.ts");
      return await takeUp(request.kept, request, media?.link ?? null, offer);
    }
    const body = { ...request.body, ...(offer && { client_sdp: offer, video: wantedVideo }) };
    const created = await createRelaySession(request.relay, body);
    const relay = new SessionRelay(
      request.relay,
      created.session.session_id,
      new SessionToken(created.token),
    );
    relay.video = created.video;
    const link =
      media?.link ?? (request.player && (await (await import("./recovery.ts")).httpLink(relay, request)));
    const connection = link && new AvatarConnection(link, relay, created.ice_servers, request);
    return { call: new Call(relay, connection), answer: created.server_sdp };
  } catch (error) {
    media?.link.close();
    throw error;
  }
}
