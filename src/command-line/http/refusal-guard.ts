import type { Logger } from "../../logging/logger.ts";
import { addressGroup } from "../../protocol/address-group.ts";
import type { ClientAddress } from "./client-address.ts";
import type { Fetch } from "./http-server.ts";

/** The window in which refusals (4xx answers) are counted, in ms. */
const windowMs = 10_000;

/** How long an address is blocked the first time, in ms. Each further block takes twice as long. */
const firstBlockMs = 10_000;
const longestBlockMs = 300_000;

/** After this time without a block, in ms, an address starts again with the first block length. */
const forgivenAfterMs = 600_000;

interface Block {
  untilMs: number;
  lengthMs: number;
}

interface RefusalGuardOptions {
  /** Refused requests of one address in 10 s before the address is blocked. */
  limit: number;
  /** A monotonic clock, in ms. */
  nowMs?: () => number;
  log: Pick<Logger, "warn">;
}

/**
 * Blocks addresses that send many refused requests. Reading and refusing a request costs a hundred times as much as closing its
 * connection, so a flood from one address would slow everybody down.
 */
export class RefusalGuard {
  readonly #limit: number;
  readonly #nowMs: () => number;
  readonly #log: Pick<Logger, "warn">;
  readonly #blocks = new Map<string, Block>();
  #refusals = new Map<string, number>();
  #windowEndsMs = 0;

  constructor({ limit, nowMs = () => performance.now(), log }: RefusalGuardOptions) {
    this.#limit = limit;
    this.#nowMs = nowMs;
    this.#log = log;
  }

  /** Whether requests of an address (IPv6 by its /64) are blocked now. */
  isBlocked(address: string): boolean {
    if (this.#blocks.size === 0) return false;
    const block = this.#blocks.get(addressGroup(address));
    return block !== undefined && block.untilMs > this.#nowMs();
  }

  /** Counts a 4xx answer to an address. */
  countRefusal(address: string): void {
    const now = this.#nowMs();
    if (now >= this.#windowEndsMs) this.#beginWindow(now);
    const group = addressGroup(address);
    const refusals = (this.#refusals.get(group) ?? 0) + 1;
    this.#refusals.set(group, refusals);
    // Requests that were already in progress when the block began do not extend it.
    if (refusals > this.#limit && !this.isBlocked(address)) this.#block(group, now);
  }

  #block(group: string, now: number): void {
    const former = this.#blocks.get(group);
    const lengthMs = former ? Math.min(former.lengthMs * 2, longestBlockMs) : firstBlockMs;
    this.#blocks.set(group, { untilMs: now + lengthMs, lengthMs });
    this.#refusals.delete(group);
    this.#log.warn(
      "an address is blocked: too many of its requests were refused. If it is your proxy, set VISAVIS_TRUSTED_PROXIES.",
      { address: group, seconds: lengthMs / 1_000 },
    );
  }

  /** Resets the counts, and forgets the addresses that have had no block for long. */
  #beginWindow(now: number): void {
    this.#windowEndsMs = now + windowMs;
    this.#refusals = new Map();
    for (const [group, { untilMs }] of this.#blocks)
      if (untilMs + forgivenAfterMs < now) this.#blocks.delete(group);
  }
}

const message = "Too many requests from this address were refused. Wait a minute, then try again.";

/** One body for two kinds of clients: the service's read `code` and `message`, the relay's read `errors`. */
const tooManyRefusals = (): Response =>
  Response.json(
    {
      code: "G0005",
      message,
      status: "TOO_MANY_REQUESTS",
      type: "client_error",
      errors: [{ code: "rate_limited", detail: message, attr: null }],
    },
    { status: 429, headers: { "Retry-After": "60", "Cache-Control": "no-store" } },
  );

/**
 * Counts the refusals of a request handler. Blocked visitors behind a trusted proxy get 429 at once; direct connections are
 * closed earlier (`listen`).
 */
export function blockFloods(fetch: Fetch, guard: RefusalGuard, clientAddress: ClientAddress): Fetch {
  return (request, environment) => {
    const address = clientAddress(request, environment);
    if (address === null) return fetch(request, environment);
    if (guard.isBlocked(address)) return tooManyRefusals();
    const { outgoing } = environment;
    outgoing.once("finish", () => {
      if (outgoing.statusCode >= 400 && outgoing.statusCode < 500) guard.countRefusal(address);
    });
    return fetch(request, environment);
  };
}
