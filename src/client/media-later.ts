import type * as here from "./media.ts";
import { VisavisError } from "./visavis-error.ts";

/** Takes the place of `media.ts` in the widget for conversations in writing. All of this is loaded when an avatar is wanted. */
export let AvatarConnection: typeof here.AvatarConnection;
export let MediaPlayer: typeof here.MediaPlayer;
let Offers: typeof here.PreparedOffer;

let loading: Promise<void> | null = null;

/**
 * Loads what a session with sound or picture needs. Rejects where that cannot be loaded, and then the next call tries again, or with
 * VisavisError when the element `isGone` meanwhile.
 */
export async function loadMedia(isGone?: () => boolean): Promise<void> {
  loading ??= load();
  loading.catch(() => (loading = null));
  await loading;
  if (isGone?.()) throw VisavisError.connectionFailed();
}

async function load(): Promise<void> {
  ({ AvatarConnection, MediaPlayer, PreparedOffer: Offers } = await import("./media.ts"));
}

/** Prepares an offer once that is loaded. `take()` is called after `loadMedia()`. */
export class PreparedOffer implements Pick<here.PreparedOffer, "take" | "discard"> {
  readonly #wantsVideo: () => boolean;
  #offers: here.PreparedOffer | null = null;
  #wanted = false;

  constructor(wantsVideo: () => boolean) {
    this.#wantsVideo = wantsVideo;
  }

  prepare(): void {
    this.#wanted = true;
    loadMedia().then(
      () => this.#wanted && this.#made().prepare(),
      () => undefined,
    );
  }

  take(): ReturnType<here.PreparedOffer["take"]> {
    this.#wanted = false;
    return this.#made().take();
  }

  discard(): void {
    this.#wanted = false;
    this.#offers?.discard();
  }

  #made(): here.PreparedOffer {
    return (this.#offers ??= new Offers(this.#wantsVideo));
  }
}
