import type { Backdrops } from "../pictures/backdrops.ts";
import type { CharacterPictures } from "../pictures/character-pictures.ts";
import type { MediaClock } from "../media-clock.ts";
import type { PeerRequest } from "../media-engine.ts";
import type { MediaProcessSettings, MessageFromProcess, PeerEnd } from "../processes/media-ipc.ts";
import type { PlaceOrder } from "../processes/order-book.ts";

/** What a session's avatar needs from its process. */
export interface AvatarSessionOptions {
  /** The session's first offer. */
  request: PeerRequest;
  settings: MediaProcessSettings;
  /** Whether the process has so many sessions that processor time is scarce. */
  isBusy(): boolean;
  clock: MediaClock;
  pictures: CharacterPictures;
  backdrops: Backdrops;
  order: PlaceOrder;
  report(message: MessageFromProcess): void;
  /** The session ended because its peer ended. */
  onEnded(cause: PeerEnd): void;
}
