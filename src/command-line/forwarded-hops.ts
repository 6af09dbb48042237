import { plainAddress } from "./trusted-proxies.ts";

/** Headers in which proxies say whom they got a request from. */
export type ForwardedHeader = "x-forwarded-for" | "forwarded";

/** Hops that are looked at: nobody has more proxies than these. */
const maxHops = 32;

/**
 * The parts of a list between commas, the last one first. Quotes are matched from the end, which our own proxies wrote: an
 * open one among what came before them cannot hide their words.
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

/** `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1`, `[2001:db8::1]:4711`. Null where the text is none of these. */
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

/** The hops that a header names, the latest first; null for one that names no address (`unknown`, `_hidden`, garbage). */
export function forwardedHops(name: ForwardedHeader, value: string): (string | null)[] {
  return partsFromEnd(value).map((part) => nodeAddress(name === "forwarded" ? forwardedFor(part) : part));
}
