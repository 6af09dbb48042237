import type { ClientMessage } from "../protocol/data-channel.ts";
import type { SessionRelay } from "./relay-client.ts";

/** How the service is reached while there is a session. */
export interface ConversationLine {
  /** Whether answers are spoken, or only shown. */
  readonly speaks: boolean;
  /** Whether a question can be sent now: not while connecting, reconnecting or offline. */
  readonly up: boolean;
  /** Sends over the data channel; false when it is not open. */
  deliver(message: ClientMessage): boolean;
  readonly relay: SessionRelay;
}
