import type { Offer } from "../../protocol/session/exchange.ts";
import { PeerLink } from "./peer-link.ts";

/** An offer older than this is replaced, because the network may have changed since. */
const freshForMs = 60_000;

interface Prepared {
  readonly link: PeerLink;
  readonly withVideo: boolean;
  readonly offer: Promise<Offer>;
  /** The offer once it is made. A click handler can use it without waiting for a microtask. */
  ready: Offer | null;
}

/** Keeps one link with its offer ready, so that a click only has to send the request. */
export class PreparedOffer {
  readonly #wantsVideo: () => boolean;
  #prepared: Prepared | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** `wantsVideo` tells whether the next session receives video. */
  constructor(wantsVideo: () => boolean) {
    this.#wantsVideo = wantsVideo;
  }

  /** Returns what is prepared; null if the browser refuses connections. */
  prepare(): Prepared | null {
    const withVideo = this.#wantsVideo();
    if (this.#prepared?.withVideo !== withVideo) this.discard();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.discard(), freshForMs);
    return (this.#prepared ??= makeOffer(withVideo));
  }

  /** The prepared link or a new one; the caller owns it from now on. Null if the browser refuses connections. */
  take(): Prepared | null {
    const prepared = this.prepare();
    this.#prepared = null;
    clearTimeout(this.#timer);
    return prepared;
  }

  discard(): void {
    clearTimeout(this.#timer);
    this.#prepared?.link.close();
    this.#prepared = null;
  }
}

function makeOffer(withVideo: boolean): Prepared | null {
  let link: PeerLink;
  try {
    link = new PeerLink(withVideo);
  } catch {
    // The session goes on without.
    return null;
  }
  const prepared: Prepared = { link, withVideo, offer: link.offer(), ready: null };
  prepared.offer.then(
    (offer) => (prepared.ready = offer),
    // The owner of the offer handles its failure. Nobody needs the failure of a discarded one.
    () => undefined,
  );
  return prepared;
}
