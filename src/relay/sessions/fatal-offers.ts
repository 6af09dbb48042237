import { fatalOfferCode, fatalOffersMax, fatalOfferWindowMs } from "../../protocol/session/fatal-offer.ts";
import type { Counter } from "../../protocol/counter.ts";
import type { RelayClock } from "../relay-deps.ts";
import { RelayError } from "../relay-error.ts";

/**
 * Counts, by visitor address, the offers that crashed a media process. The service cannot do it: it only sees the relay's
 * address.
 */
export class FatalOffers {
  readonly #counter: Counter;
  readonly #clock: RelayClock;

  constructor(counter: Counter, clock: RelayClock) {
    this.#counter = counter;
    this.#clock = clock;
  }

  /**
   * Runs `work`, which sends an offer to the service for a visitor's address (null: unknown).
   *
   * @throws RelayError permission_denied (403) after too many fatal offers from this address, and what `work` throws.
   */
  async watch<Result>(address: string | null, work: () => Promise<Result>): Promise<Result> {
    if (address === null) return work();
    const key = `fatal-offers:address:${address}`;
    const { total, resetAtMs } = await this.#counter.add(key, 0, fatalOfferWindowMs);
    if (total >= fatalOffersMax) throw RelayError.addressRefused(resetAtMs - this.#clock.now());
    try {
      return await work();
    } catch (error) {
      if (error instanceof RelayError && error.code === fatalOfferCode)
        await this.#counter.add(key, 1, fatalOfferWindowMs);
      throw error;
    }
  }
}
