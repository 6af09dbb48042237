import { certificateCodes } from "../../outbound/guarded-fetch-error.ts";

/** The result of trying a part of the service. */
export interface Trial {
  outcome: "ok" | "warning" | "failed";
  /** What happened, in one sentence. */
  detail: string;
  /** What the operator can do about it; null if nothing has to be done. */
  remedy: string | null;
  /** The time until the first word or sound, in ms. */
  firstMs?: number;
  /** What a model said or a recognizer heard. */
  said?: string;
}

/** How long a page may take to answer, in ms. */
export const pageTrialMs = 20_000;

/** A trial that succeeded. */
export const succeeded = (detail: string, measured: Pick<Trial, "firstMs" | "said"> = {}): Trial => ({
  outcome: "ok",
  detail,
  remedy: null,
  ...measured,
});

/** A trial that found something that works, but not for everybody. */
export const warned = (detail: string, remedy: string): Trial => ({ outcome: "warning", detail, remedy });

/** A trial that failed. */
export const failed = (detail: string, remedy: string): Trial => ({ outcome: "failed", detail, remedy });

/** The time since `startedMs` (of `performance.now()`), in words. */
export function timeSince(startedMs: number): string {
  const ms = performance.now() - startedMs;
  return ms < 1_000 ? `${Math.max(1, Math.round(ms))} ms` : `${(ms / 1_000).toFixed(1)} s`;
}

/** Why an engine failed, as far as it is known. */
export interface EngineFault {
  /** The HTTP status that its server answered with. */
  status: number | null;
  /** A code of the engine's or the network's error. */
  code: string | null;
  /** The reason in words. */
  reason: string;
  /** What its server said. */
  says?: string | null;
}

/** The error and its causes, outermost first. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  for (let at = error; at instanceof Error && chain.length < 5; at = at.cause) chain.push(at);
  return chain;
}

/** What an engine's error says. The innermost message is the most exact one. */
export function faultOf(error: unknown): EngineFault {
  const chain = causesOf(error);
  const status = chain
    .map((one) => ("status" in one ? one.status : null))
    .find((one) => typeof one === "number");
  const code = chain
    .map((one) => ("code" in one ? one.code : null))
    .findLast((one) => typeof one === "string");
  const reason = chain.findLast(({ message }) => message !== "")?.message ?? String(error);
  const says = chain.map((one) => ("says" in one ? one.says : null)).find((one) => typeof one === "string");
  return { status: status ?? null, code: code ?? null, reason, says: says ?? null };
}

const unreachable = new Set([
  "unreachable",
  "not_resolved",
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "ECONNRESET",
]);
const slow = new Set(["too_slow", "timeout", "ABORT_ERR", "ETIMEDOUT"]);

const remedyOfRedirect =
  "The server sends calls to another address, which could get the key: set that one as the address.";

function remedyOfStatus(status: number): string {
  if (status === 401 || status === 403)
    return "The server refuses the key: give it the right one, or set the variable that holds it.";
  if (status === 402 || status === 429)
    return "The server takes no more requests of this key: check the plan and the limits at its provider.";
  if (status === 404)
    return "The server does not know what was asked for: check the address, and the names of model and voice.";
  if (status >= 300 && status < 400) return remedyOfRedirect;
  if (status === 400 || status === 422)
    return "The server refuses the request: what it says above is the reason. Check the names of model and voice, and the additional fields.";
  return "The server has an error of its own: read its log, or try again later.";
}

/** What to do about an engine's fault. */
export function faultRemedy({ status, code }: EngineFault): string {
  if (status !== null) return remedyOfStatus(status);
  if (code !== null && (code === "certificate" || certificateCodes.test(code)))
    return "The certificate of the address is self-signed, has expired, or is for another name: renew it, or let this program trust its authority (NODE_EXTRA_CA_CERTS).";
  if (code !== null && unreachable.has(code))
    return "Nothing answers at the entry's address: check it, and that the server runs and can be reached from here.";
  if (code !== null && slow.has(code))
    return "The server is too slow: check its load, and whether it still loads a model.";
  if (code === "redirected" || code === "too_many_redirects") return remedyOfRedirect;
  if (code === "forbidden_address" || code === "insecure_url")
    return "The address is http or in a private network: if you trust it, allow that for this entry.";
  return "Check the entry's settings, and the log of what it calls.";
}
