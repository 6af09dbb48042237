import { Fault } from "../../fault.ts";

const jsonRanges = new Set(["*/*", "application/*", "application/json"]);

/** Throws a 406 Fault where an Accept header excludes JSON. */
export function requireJsonAccepted(accept: string | null): void {
  if (accept === null || accept === "*/*" || accept.trim() === "") return;
  const accepted = accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((text) => text.trim().toLowerCase());
    return jsonRanges.has(type) && !parameters.some((text) => /^q=0(?:\.0*)?$/.test(text));
  });
  if (!accepted)
    throw Fault.client(
      406,
      "not_acceptable",
      "The answer is JSON, which the Accept header leaves out; accept application/json.",
    );
}
