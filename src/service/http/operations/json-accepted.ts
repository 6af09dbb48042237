import { Fault } from "../../fault.ts";

/** The ranges that include JSON. The most specific one that a header names decides (RFC 9110, 12.5.1). */
const jsonRanges = ["application/json", "application/*", "*/*"];

/** Each range of an Accept header, and whether any of its entries has a weight above 0. */
function acceptedRanges(accept: string): Map<string, boolean> {
  const ranges = new Map<string, boolean>();
  for (const entry of accept.split(",")) {
    const [range = "", ...parameters] = entry.split(";").map((text) => text.trim().toLowerCase());
    const isWanted = !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
    ranges.set(range, isWanted || ranges.get(range) === true);
  }
  return ranges;
}

/** Throws a 406 Fault where an Accept header excludes JSON. */
export function requireJsonAccepted(accept: string | null): void {
  if (accept === null || accept === "*/*" || accept.trim() === "") return;
  const ranges = acceptedRanges(accept);
  const deciding = jsonRanges.find((range) => ranges.has(range));
  if (deciding === undefined || !ranges.get(deciding))
    throw Fault.client(
      406,
      "not_acceptable",
      "The answer is JSON, which the Accept header leaves out; accept application/json.",
    );
}
