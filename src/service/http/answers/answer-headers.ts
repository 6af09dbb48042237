import type { HttpContext } from "../http-environment.ts";

/**
 * Headers of the request's answer, whichever answer it will be. They are gathered in a plain record before there is an
 * answer: Node's server writes a record out directly, while `Headers` are checked, sorted and copied.
 */
export function answerHeaders(context: HttpContext): Record<string, string> {
  const known = context.get("answerHeaders");
  if (known) return known;
  const gathered: Record<string, string> = {};
  context.set("answerHeaders", gathered);
  return gathered;
}

/** Cookies that the request's answer sets, whichever answer it will be. */
export function answerCookies(context: HttpContext): string[] {
  const known = context.get("answerCookies");
  if (known) return known;
  const gathered: string[] = [];
  context.set("answerCookies", gathered);
  return gathered;
}

function setCookies(context: HttpContext, answer: Response): void {
  for (const cookie of context.get("answerCookies") ?? []) answer.headers.append("Set-Cookie", cookie);
}

/** A JSON answer with the gathered headers and with `headers` of its own. */
export function jsonAnswer(
  context: HttpContext,
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

/** Adds the gathered headers to an answer that was made without them. Headers that the answer has already stay. */
export function completeHeaders(context: HttpContext): void {
  const { res } = context;
  if (res === context.get("completeAnswer")) return;
  for (const [name, value] of Object.entries(answerHeaders(context)))
    if (!res.headers.has(name)) res.headers.set(name, value);
  setCookies(context, res);
}
