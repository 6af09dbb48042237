import { isIP } from "node:net";
import type { OfferLine } from "./offer-lines.ts";

/** So many candidates of one offer are used: each costs checks from every address of this machine. */
export const candidatesMax = 20;

/** Ports below this are those of well-known services; NATs do not give them to browsers, apart from these two. */
const firstFreePort = 1_024;
const allowedLowPorts = [80, 443];

const form =
  /^a=candidate:([\w+/]{1,32}) 1 udp (\d{1,10}) ([\da-f.:]{2,45}) (\d{1,5}) typ (host|srflx|prflx|relay)(?: |$)/i;

/** Takes the candidates of one offer that may be used, counting over all of its sections. */
export class CandidateFilter {
  readonly #isAdmittedAddress: (address: string) => boolean;
  readonly #seen = new Set<string>();

  /** `isAdmittedAddress`: whether packets may be sent to an IP address. */
  constructor(isAdmittedAddress: (address: string) => boolean) {
    this.#isAdmittedAddress = isAdmittedAddress;
  }

  /**
   * The candidates of one section that may be used, without what is not needed of them. Others are dropped: TCP, RTCP's own,
   * host names (mDNS ones too, since nothing here is to look up names that clients write) and addresses that are not
   * admitted. Connections do not need them: a client that reaches this machine is answered where its checks come from.
   */
  admitted(lines: readonly OfferLine[]): string[] {
    return lines.flatMap(({ text }) => {
      const [, foundation, priority, address = "", port = "", type = ""] = form.exec(text) ?? [];
      if (isIP(address) === 0 || Number(priority) > 0xffffffff || !isUsablePort(Number(port))) return [];
      if (!this.#hasRoomFor(`${address.toLowerCase()} ${port}`) || !this.#isAdmittedAddress(address))
        return [];
      this.#seen.add(`${address.toLowerCase()} ${port}`);
      const kind = type.toLowerCase();
      // A made-up base: the library wants one, and the real one is nobody's business.
      const base = kind === "host" ? "" : ` raddr ${isIP(address) === 6 ? "::" : "0.0.0.0"} rport 0`;
      return [
        `a=candidate:${foundation} 1 udp ${priority} ${address} ${port} typ ${kind}${base} generation 0`,
      ];
    });
  }

  /** Bundled sections repeat each other's candidates, which count once. */
  #hasRoomFor(place: string): boolean {
    return this.#seen.has(place) || this.#seen.size < candidatesMax;
  }
}

function isUsablePort(port: number): boolean {
  return (port >= firstFreePort && port <= 65_535) || allowedLowPorts.includes(port);
}
