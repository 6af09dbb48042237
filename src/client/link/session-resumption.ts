import type { Answer, Offer } from "../../protocol/session/exchange.ts";
import { Call } from "./call.ts";
import type { ConnectionHost } from "./connection-host.ts";
import { HttpLink } from "../http-voice/http-link.ts";
import type { KeptSession } from "../conversation/conversation-keeper.ts";
import { AvatarConnection } from "./avatar-connection.ts";
import type { PeerLink } from "./peer-link.ts";
import { SessionRelay, SessionToken } from "../relay/relay-client.ts";
import { RelayFault } from "../relay/relay-fault.ts";
import { VisavisError } from "../visavis-error.ts";

/** How long a relay or service that does not answer is asked again, in ms: it may be restarting. */
const retryLimitMs = 20_000;
const retryPauseMs = 1_000;

/**
 * Takes up a session that the tab's last page has left: exchanges descriptions once more, without a new session. Throws
 * VisavisError when the session is over or cannot be reached.
 */
export async function takeUp(
  { id, token, isReported }: KeptSession,
  request: ConnectionHost & { readonly relay: string; readonly signal: AbortSignal },
  link: PeerLink | null,
  offer: Offer | undefined,
): Promise<{ call: Call; answer: Answer | null }> {
  const { relay: base, signal } = request;
  const relay = new SessionRelay(base, id, new SessionToken(token));
  const ask = async (): Promise<Answer | null> => {
    if (link) return offer ? relay.exchange(offer, signal) : null;
    const { terminate } = await relay.report("SESSION_DURING");
    if (terminate) throw VisavisError.sessionLost();
    return null;
  };
  const untilMs = performance.now() + retryLimitMs;
  for (;;)
    try {
      const answer = await ask();
      const found = link ?? (request.player && new HttpLink(relay, request));
      const connection = found && new AvatarConnection(found, relay, [], request);
      return { call: new Call(relay, connection, isReported), answer };
    } catch (error) {
      const isOver = !(error instanceof VisavisError) || (error instanceof RelayFault && error.final);
      if (isOver || error.code === "session_lost" || signal.aborted || performance.now() > untilMs)
        throw error;
      await new Promise((resolve) => setTimeout(resolve, retryPauseMs));
    }
}
