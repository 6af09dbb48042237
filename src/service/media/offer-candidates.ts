import { isIP } from "node:net";
import type { OfferLine } from "./offer-lines.ts";

/** The most candidates of one offer that are used, because each causes checks from every address of this machine. */
export const candidatesMax = 20;

/** Ports below this belong to well-known services. NATs do not assign them to browsers, except the two below. */
const firstFreePort = 1_024;
const allowedLowPorts = [80, 443];

const form =
  /^a=candidate:([\w+/]{1,32}) 1 udp (\d{1,10}) ([\da-f.:]{2,45}) (\d{1,5}) typ (host|srflx|prflx|relay)(?: |$)/i;

/** Selects the candidates of one offer that may be used. The limit counts over all sections. */
export class CandidateFilter {
  readonly #isAdmittedAddress: (address: string) => boolean;
  readonly #seen = new Set<string>();

  /** `isAdmittedAddress`: whether packets may be sent to an IP address. */
  constructor(isAdmittedAddress: (address: string) => boolean) {
    this.#isAdmittedAddress = isAdmittedAddress;
  }

  /**
   * The candidates of one section that may be used, reduced to the needed fields. Others are dropped: TCP, those of RTCP,
   * host names (also mDNS names, because nothing here should look up names that clients send) and addresses that are not
   * admitted. Connections do not need them: checks of a client that reaches this machine are answered to their source.
   */
  admitted(lines: readonly OfferLine[]): string[] {
    return lines.flatMap(({ text }) => {
      const [, foundation, priority, address = "", port = "", type = ""] = form.exec(text) ?? [];
      if (isIP(address) === 0 || Number(priority) > 0xffffffff || !isUsablePort(Number(port))) return [];
      if (!this.#hasRoomFor(`${address.toLowerCase()} ${port}`) || !this.#isAdmittedAddress(address))
        return [];
      this.#seen.add(`${address.toLowerCase()} ${port}`);
      const kind = type.toLowerCase();
      // The library requires a base address. A placeholder is enough, and keeps the client's local address private.
      const base = kind === "host" ? "" : ` raddr ${isIP(address) === 6 ? "::" : "0.0.0.0"} rport 0`;
      return [
        `a=candidate:${foundation} 1 udp ${priority} ${address} ${port} typ ${kind}${base} generation 0`,
      ];
    });
  }

  /** Whether this candidate is within the limit. Bundled sections repeat each other's candidates, which count once. */
  #hasRoomFor(place: string): boolean {
    return this.#seen.has(place) || this.#seen.size < candidatesMax;
  }
}

function isUsablePort(port: number): boolean {
  return (port >= firstFreePort && port <= 65_535) || allowedLowPorts.includes(port);
}
