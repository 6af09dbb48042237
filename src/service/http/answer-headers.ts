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

/** Cookies that a request's answer sets, whichever it will be. */
export function answerCookies(context: Context): string[] {
  const known = context.get("answerCookies") as string[] | undefined;
  if (known) return known;
  const gathered: string[] = [];
  context.set("answerCookies", gathered);
  return gathered;
}

function setCookies(context: Context, answer: Response): void {
  const cookies = context.get("answerCookies") as string[] | undefined;
  for (const cookie of cookies ?? []) answer.headers.append("Set-Cookie", cookie);
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
  setCookies(context, answer);
  context.set("completeAnswer", answer);
  return answer;
}

/** Gives the headers that were gathered to an answer that was made without them; its own go before. */
export function completeHeaders(context: Context): void {
  const { res } = context;
  if (res === context.get("completeAnswer")) return;
  for (const [name, value] of Object.entries(answerHeaders(context)))
    if (!res.headers.has(name)) res.headers.set(name, value);
  setCookies(context, res);
}
