import { BlockList, isIP } from "node:net";
import { SettingsError } from "./settings-error.ts";

/** Proxies that are trusted to report a request's address. */
export interface TrustedProxies {
  /** False: no proxy is trusted. */
  readonly any: boolean;
  /** Whether an address (IPv4, IPv4 mapped into IPv6, or IPv6) belongs to one of them. */
  has(address: string): boolean;
}

const mappedPrefix = /^::ffff:(?=\d+\.)/i;

/** An address, with IPv4 mapped into IPv6 converted to IPv4; null if the text is not an address. */
export function plainAddress(text: string): string | null {
  const address = text.replace(mappedPrefix, "");
  return isIP(address) === 0 ? null : address;
}

function family(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

function addEntry(list: BlockList, entry: string, name: string): void {
  const [given = "", bits, ...rest] = entry.split("/");
  const address = plainAddress(given);
  const most = address !== null && family(address) === "ipv4" ? 32 : 128;
  const isPrefix = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= most);
  if (address === null || !isPrefix || rest.length > 0)
    throw new SettingsError(
      `${name} has "${entry}"; set IP addresses or networks such as 10.0.0.0/8, separated by commas.`,
    );
  if (bits === undefined) list.addAddress(address, family(address));
  else list.addSubnet(address, Number(bits), family(address));
}

/** Reads a list of addresses and networks (CIDR), separated by commas. Throws SettingsError with the setting's `name`. */
export function readTrustedProxies(text: string | undefined, name: string): TrustedProxies {
  const entries = (text ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  const list = new BlockList();
  for (const entry of entries) addEntry(list, entry, name);
  return {
    any: entries.length > 0,
    has(address) {
      const plain = plainAddress(address);
      return plain !== null && list.check(plain, family(plain));
    },
  };
}
