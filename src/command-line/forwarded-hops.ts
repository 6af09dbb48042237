import { plainAddress } from "./trusted-proxies.ts";

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
