import { addressGroup } from "../protocol/address-group.ts";

/** Whose share of the memory for bodies is used up. */
export type BodyRefusal = "process" | "address";

/** What the body of one request holds of a budget. */
export interface BodyLease {
  /** Takes so many bytes more; tells why they are not to be had, null where they were taken. */
  take(bytes: number): BodyRefusal | null;
  /** Gives back all that was taken. */
  release(): void;
}

/** How many bytes of request bodies may be in memory at once. */
export interface BodyLimits {
  process: number;
  address: number;
}

/** Limits where nobody says otherwise. The largest body has 25 MB. */
export const defaultBodyLimits: BodyLimits = { process: 128 * 1024 * 1024, address: 48 * 1024 * 1024 };

/** Up to so many bytes a body is small: JSON of a conversation, an offer, a heartbeat. */
const smallBytes = 64 * 1024;

/**
 * Under pressure, the bytes of a large body that was refused count for so long after it, in ms: they are garbage, but not
 * collected yet.
 */
const collectionMs = 2_000;

/** The part of the process's bytes that large bodies leave to small ones, so that uploads do not stop conversations. */
const smallShare = 1 / 8;

/**
 * Counts the bytes of request bodies that are in memory, for the whole process and for each client address. One budget
 * serves everything in a process that reads bodies.
 */
export class BodyBudget {
  readonly #limits: BodyLimits;
  readonly #byAddress = new Map<string, number>();
  #total = 0;

  constructor(limits: BodyLimits = defaultBodyLimits) {
    this.#limits = limits;
  }

  /** Bytes that are taken now. */
  get total(): number {
    return this.#total;
  }

  /** A lease for a request of a client address (IPv6 by its /64); null: of an unknown one, which counts for the process alone. */
  open(clientAddress: string | null): BodyLease {
    const address = clientAddress === null ? null : addressGroup(clientAddress);
    let held = 0;
    let isRefused = false;
    return {
      take: (bytes) => {
        const refusal = this.#refusal(address, bytes, held + bytes <= smallBytes);
        isRefused ||= refusal !== null;
        if (refusal !== null) return refusal;
        held += bytes;
        this.#add(address, bytes);
        return null;
      },
      release: () => {
        const bytes = held;
        held = 0;
        if (isRefused && bytes > smallBytes) void setTimeout(() => this.#add(address, -bytes), collectionMs);
        else this.#add(address, -bytes);
      },
    };
  }

  #refusal(address: string | null, bytes: number, isSmall: boolean): BodyRefusal | null {
    const { process, address: own } = this.#limits;
    if (address !== null && (this.#byAddress.get(address) ?? 0) + bytes > own) return "address";
    return this.#total + bytes > (isSmall ? process : process * (1 - smallShare)) ? "process" : null;
  }

  #add(address: string | null, bytes: number): void {
    this.#total += bytes;
    if (address === null || bytes === 0) return;
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    if (held > 0) this.#byAddress.set(address, held);
    else this.#byAddress.delete(address);
  }
}
