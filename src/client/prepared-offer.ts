import type { Offer } from "../protocol/exchange.ts";
import { PeerLink } from "./peer-link.ts";

/** An offer older than this is made anew: the network may have changed since. */
const freshForMs = 60_000;

interface Prepared {
  readonly link: PeerLink;
  readonly offer: Promise<Offer>;
  /** The offer once it is made: who takes it in a click need not wait even for a microtask. */
  ready: Offer | null;
}

/** Keeps one link with its offer ready, so that a click costs the request alone. */
export class PreparedOffer {
  #prepared: Prepared | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  prepare(withVideo: boolean): void {
    this.#prepared ??= makeOffer(withVideo);
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.discard(), freshForMs);
  }

  /** The prepared link, now the caller's, or a new one. Throws VisavisError `media_unsupported`. */
  take(withVideo: boolean): Prepared {
    const prepared = this.#prepared ?? makeOffer(withVideo);
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

function makeOffer(withVideo: boolean): Prepared {
  const link = new PeerLink(withVideo);
  const prepared: Prepared = { link, offer: link.offer(), ready: null };
  prepared.offer.then(
    (offer) => (prepared.ready = offer),
    // Who takes the offer handles its failure; a discarded one has none to tell.
    () => undefined,
  );
  return prepared;
}
