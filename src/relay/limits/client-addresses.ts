import { addressGroup } from "../../protocol/address-group.ts";
import type { RelayDeps } from "../relay-deps.ts";

/** Length of a name in characters of a hash: 96 bits. */
const nameLength = 16;

/**
 * Pseudonyms for client addresses. Relays with the same secret use the same name for the same address. Tokens and counters
 * contain only these names, so that they do not reveal a visitor's address.
 */
export class ClientAddresses {
  readonly #read: NonNullable<RelayDeps["clientAddress"]>;
  readonly #key: ReturnType<typeof crypto.subtle.importKey>;

  constructor(secret: Uint8Array, read: RelayDeps["clientAddress"]) {
    this.#read = read ?? (() => null);
    const algorithm = { name: "HMAC", hash: "SHA-256" };
    this.#key = crypto.subtle.importKey("raw", new Uint8Array(secret), algorithm, false, ["sign"]);
    // A failure is handled where the key is used.
    this.#key.catch(() => undefined);
  }

  /** The name of a request's address (IPv6 by its /64), or null if the address is unknown. */
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
