import type { Context } from "hono";

/**
 * Headers that a request's answer gets, whichever it will be. They are gathered before there is an answer, in a plain
 * record: Node's server writes one out directly, while headers that are objects are checked, sorted and copied.
 */
export function answerHeaders(context: Context): Record<string, string> {
  const known = context.get("answerHeaders") as Record<string, string> | undefined;
  if (known) return known;
  const gathered: Record<string, string> = {};
  context.set("answerHeaders", gathered);
  return gathered;
}

/** A JSON answer with everything that was gathered, and with headers of its own. */
export function jsonAnswer(
  context: Context,
  value: unknown,
  status: number,
  headers?: Readonly<Record<string, string>>,
): Response {
  const answer = new Response(JSON.stringify(value), {
    status,
    headers: { ...answerHeaders(context), ...headers, "Content-Type": "application/json" },
  });
  context.set("completeAnswer", answer);
  return answer;
}

/** Gives the headers that were gathered to an answer that was made without them; its own go before. */
export function completeHeaders(context: Context): void {
  const { res } = context;
  if (res === context.get("completeAnswer")) return;
  for (const [name, value] of Object.entries(answerHeaders(context)))
    if (!res.headers.has(name)) res.headers.set(name, value);
}
