import { addressGroup } from "../../protocol/address-group.ts";

/** Whose share of the memory for request bodies is used up. */
export type BodyRefusal = "process" | "address";

/** What the body of one request holds of a budget. */
export interface BodyLease {
  /** Takes more bytes. Returns why they are refused, or null if they were taken. */
  take(bytes: number): BodyRefusal | null;
  /** Gives back all that was taken. */
  release(): void;
}

/** How many bytes of request bodies may be in memory at once. */
export interface BodyLimits {
  process: number;
  address: number;
}

/** The default limits. The largest body has 25 MB. */
export const defaultBodyLimits: BodyLimits = { process: 128 * 1024 * 1024, address: 48 * 1024 * 1024 };

/** A body of up to so many bytes is small: the JSON of a conversation, an offer, a heartbeat. */
const smallBytes = 64 * 1024;

/**
 * For this time, in ms, the bytes of a large refused body still count, because the garbage collector has not freed them
 * yet.
 */
const collectionMs = 2_000;

/** The part of the process's budget that is reserved for small bodies, so that uploads do not stop conversations. */
const smallShare = 1 / 8;

/**
 * Counts the bytes of request bodies in memory, for the whole process and for each client address. Everything in a process
 * that reads bodies shares one budget.
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

  /** A lease for a request from a client address (IPv6 by its /64). Null: the address is unknown, so only the process's total counts. */
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
    const { process: ofProcess, address: ofAddress } = this.#limits;
    if (address !== null && (this.#byAddress.get(address) ?? 0) + bytes > ofAddress) return "address";
    return this.#total + bytes > (isSmall ? ofProcess : ofProcess * (1 - smallShare)) ? "process" : null;
  }

  #add(address: string | null, bytes: number): void {
    this.#total += bytes;
    if (address === null || bytes === 0) return;
    const held = (this.#byAddress.get(address) ?? 0) + bytes;
    if (held > 0) this.#byAddress.set(address, held);
    else this.#byAddress.delete(address);
  }
}
