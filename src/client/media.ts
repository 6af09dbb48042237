/**
 * What a session with sound or picture needs besides one in writing. The build for conversations in writing replaces this module by
 * `media-later.ts`, which loads the same on demand.
 */
export { AvatarConnection } from "./avatar-connection.ts";
export { MediaPlayer } from "./media-player.ts";
export { PreparedOffer } from "./prepared-offer.ts";

/** Loads all of this, and rejects with VisavisError when the element `isGone` meanwhile. Null: it is here. */
export const loadMedia: ((isGone?: () => boolean) => Promise<void>) | null = null;
