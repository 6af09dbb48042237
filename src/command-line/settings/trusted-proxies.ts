import { BlockList, isIP } from "node:net";
import { SettingsError } from "./environment-values.ts";

/** Proxies that are trusted to report a request's address. */
export interface TrustedProxies {
  /** False: no proxy is trusted. */
  readonly any: boolean;
  /** Whether an address (IPv4, IPv4 mapped into IPv6, or IPv6) belongs to one of them. */
  has(address: string): boolean;
}

const mappedPrefix = /^::ffff:(?=\d+\.)/i;

/** An address, with IPv4 mapped into IPv6 converted to IPv4; null if the text is not an address. */
function plainAddress(text: string): string | null {
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

/** Headers in which proxies report the sender of a request. */
export type ForwardedHeader = "x-forwarded-for" | "forwarded";

/** The maximum number of hops that are read. Nobody has more proxies. */
const maxHops = 32;

/**
 * The comma-separated parts of a list, the last one first. Quotes are matched from the end, the part that our own proxies wrote.
 * So an unclosed quote in the earlier part cannot hide theirs.
 */
function partsFromEnd(header: string): string[] {
  const parts: string[] = [];
  let end = header.length;
  let isQuoted = false;
  for (let index = header.length - 1; index >= 0 && parts.length < maxHops; index -= 1) {
    if (header[index] === '"' && header[index - 1] !== "\\") isQuoted = !isQuoted;
    if (header[index] !== "," || isQuoted) continue;
    parts.push(header.slice(index + 1, end));
    end = index;
  }
  if (parts.length < maxHops) parts.push(header.slice(0, end));
  return parts;
}

/** The address in `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`. Null for any other text. */
function nodeAddress(node: string): string | null {
  const text = node.trim();
  const bracketed = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1];
  const withPort = /^([\d.]+):\d{1,5}$/.exec(text)?.[1];
  return plainAddress(bracketed ?? withPort ?? text);
}

/** The node of `for=` in one element of a Forwarded header (RFC 7239, 4). */
function forwardedFor(element: string): string {
  const match = /(?:^|;)\s*for\s*=\s*(?:"([^"]*)"|([^;"\s]+))\s*(?:;|$)/i.exec(element);
  return match?.[1] ?? match?.[2] ?? "";
}

/** The hops that a header names, the latest first; null for a hop without an address (`unknown`, `_hidden`, invalid text). */
export function forwardedHops(name: ForwardedHeader, value: string): (string | null)[] {
  return partsFromEnd(value).map((part) => nodeAddress(name === "forwarded" ? forwardedFor(part) : part));
}
