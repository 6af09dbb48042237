/** Why an engine failed, as far as it is known. */
export interface EngineFault {
  /** The HTTP status that its server answered with. */
  status: number | null;
  /** A code of the engine's or the network's error. */
  code: string | null;
  /** The reason in words. */
  reason: string;
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
  return { status: status ?? null, code: code ?? null, reason };
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

function remedyOfStatus(status: number): string {
  if (status === 401 || status === 403)
    return "The server refuses the key: check engine.api_key, or the variable that engine.api_key_env names.";
  if (status === 402 || status === 429)
    return "The server takes no more requests of this key: check the plan and the limits at its provider.";
  if (status === 400 || status === 404 || status === 422)
    return "The server does not know what was asked for: check engine.base_url and the names of model and voice.";
  return "The server has an error of its own: read its log, or try again later.";
}

/** What to do about an engine's fault. */
export function faultRemedy({ status, code }: EngineFault): string {
  if (status !== null) return remedyOfStatus(status);
  if (code !== null && unreachable.has(code))
    return "Nothing answers at the entry's address: check it, and that the server runs and can be reached from here.";
  if (code !== null && slow.has(code))
    return "The server is too slow: check its load, and whether it still loads a model.";
  if (code === "forbidden_address" || code === "insecure_url")
    return "The address is http or in a private network: if you trust it, set engine.allow_private to true.";
  return "Check the entry's settings, and the log of what it calls.";
}
