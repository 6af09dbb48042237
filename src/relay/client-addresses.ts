import { addressGroup } from "../protocol/address-group.ts";
import type { RelayDeps } from "./relay-deps.ts";

/** Characters of a hash that make a name: 96 bits. */
const nameLength = 16;

/**
 * Names for the addresses that requests come from: the same for the same address on every relay with the same secret. Tokens
 * and counters carry these names, so that neither tells where a visitor was.
 */
export class ClientAddresses {
  readonly #read: NonNullable<RelayDeps["clientAddress"]>;
  readonly #key: ReturnType<typeof crypto.subtle.importKey>;

  constructor(secret: Uint8Array, read: RelayDeps["clientAddress"]) {
    this.#read = read ?? (() => null);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#key = crypto.subtle.importKey("raw", new Uint8Array(secret), algorithm, false, ["sign"]);
    // Met where the key is used.
    this.#key.catch(() => undefined);
  }

  /** The name of a request's address, IPv6 by its /64; null where it cannot be told. */
  async nameOf(request: Request, environment: unknown): Promise<string | null> {
    const address = this.#read(request, environment);
    if (address === null) return null;
    const text = new TextEncoder().encode(`address ${addressGroup(address)}`);
    const hash = new Uint8Array(await crypto.subtle.sign("HMAC", await this.#key, text));
    return btoa(String.fromCharCode(...hash))
      .replaceAll("+", "-")
      .replaceAll("/", "_")
      .slice(0, nameLength);
  }
}
