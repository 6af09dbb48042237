import { createHash } from "node:crypto";
import { addressGroup } from "../../../protocol/address-group.ts";
import { fatalOffersMax, fatalOfferWindowMs } from "../../../protocol/session/fatal-offer.ts";
import { Fault } from "../../faults/fault.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

/** How long an offer is refused. Nobody sends an identical offer by chance. */
const rememberedMs = 3_600_000;

/** Offers that crashed a media process, and the addresses they came from. */
export interface FatalOffers {
  /** Throws a Fault when the offer, or its address (null if unknown), must not reach a media process. */
  check(offerSdp: string, address: string | null): Promise<void>;
  /** Records that an offer crashed a media process: it is refused from now on, and counts against its address. */
  count(sessionId: string, offerSdp: string, address: string | null): Promise<void>;
  /**
   * Records that a media process crashed while it had this offer's connection. No other process gets the offer. No address is
   * blamed.
   */
  retire(offerSdp: string): Promise<void>;
}

/** Keeps them in the counter, which all processes of a service share. */
export function createFatalOffers({
  counter,
  clock,
  log,
}: Pick<SessionDependencies, "counter" | "clock" | "log">): FatalOffers {
  const retire = async (offerSdp: string): Promise<void> => {
    await counter.add(offerKey(offerSdp), 1, rememberedMs);
  };
  return {
    async check(offerSdp, address) {
      const offers = await counter.add(offerKey(offerSdp), 0, rememberedMs);
      if (offers.total > 0)
        throw Fault.invalid(
          "invalid",
          "The connection of this offer has failed before. Create a new offer.",
          "client_sdp.sdp",
        );
      if (address === null) return;
      const deaths = await counter.add(addressKey(address), 0, fatalOfferWindowMs);
      if (deaths.total >= fatalOffersMax) throw refusedAddress(deaths.resetAtMs - clock.nowMs());
    },
    async count(sessionId, offerSdp, address) {
      await retire(offerSdp);
      const { total } =
        address === null ? { total: null } : await counter.add(addressKey(address), 1, fatalOfferWindowMs);
      log.error("media process died of an offer", {
        session: sessionReference(sessionId),
        of_this_address: total,
      });
    },
    retire,
  };
}

function offerKey(offerSdp: string): string {
  return `fatal-offer:${createHash("sha256").update(offerSdp).digest("base64url")}`;
}

function addressKey(address: string): string {
  return `fatal-offers:address:${addressGroup(address)}`;
}

function refusedAddress(waitMs: number): Fault {
  const waitSec = Math.max(1, Math.ceil(waitMs / 1_000));
  const fault = Fault.forbidden(
    `${fatalOffersMax} offers from this address have crashed media processes. Try again in ${waitSec} s.`,
  );
  fault.headers["Retry-After"] = String(waitSec);
  return fault;
}
