import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { RelaySessionRequest } from "../../protocol/session/relay-session.ts";
import type { MediaPlayer } from "./media-player.ts";

/** What a connection needs to go on without a peer connection. */
export interface ConnectionHost {
  readonly body: Pick<RelaySessionRequest, "mode">;
  /** What plays the avatar; null in a conversation in writing. */
  readonly player: MediaPlayer | null;
  loadContext(): Promise<PublicContext>;
}
