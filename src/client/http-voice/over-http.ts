import type { ConnectionHost } from "../link/connection-host.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import { VisavisError } from "../visavis-error.ts";
import { HttpLink } from "./http-link.ts";

/** What of a connection may go on without a peer connection. */
interface ReplaceableConnection {
  readonly relay: SessionRelay;
  readonly signal: AbortSignal;
  readonly host: ConnectionHost;
  adopt(link: HttpLink): void;
}

/**
 * Goes on without a peer connection. Throws VisavisError: `session_lost`, or `connection_failed` where the relay cannot be reached
 * either, or where the avatar can neither be drawn here nor is meant to be heard alone.
 */
export async function continueOverHttp(connection: ReplaceableConnection, cause?: unknown): Promise<void> {
  const { host } = connection;
  try {
    await requirePossible(connection);
  } catch (error) {
    if (error instanceof VisavisError && error.code === "session_lost") throw error;
    throw VisavisError.connectionFailed(cause ?? error);
  }
  connection.adopt(new HttpLink(connection.relay, host, true));
  host.player?.events.emit("ready", undefined);
}

async function requirePossible({ relay, signal, host }: ReplaceableConnection): Promise<void> {
  const { body, loadContext } = host;
  if (body.mode !== "voice" && (await loadContext())["drawing"] === undefined)
    throw new Error("The avatar's files are not handed out.");
  const { terminate } = await relay.report("SESSION_DURING");
  if (terminate) throw VisavisError.sessionLost();
  signal.throwIfAborted();
}
