import * as z from "zod";
import type { GuardedFetch } from "../guarded-fetch.ts";

const hookTimeoutMs = 3_000;
const hookMaxBytes = 256 * 1024;

/** The longest text that a hook may answer with, in characters. */
const hookTextMaxLength = 20_000;

const answerSchema = z.object({ text: z.string().max(hookTextMaxLength) });

/** A text on its way through a hook, with the arguments that the config has for it. */
interface HookRequest {
  url: string;
  text: string;
  locale: string | undefined;
  args: unknown;
  signal?: AbortSignal | undefined;
}

/** Asks a hook to rewrite a text: POST `{text, locale, args}`, answered by `{text}`. Rejects with whatever went wrong. */
export async function callHook(fetch: GuardedFetch, request: HookRequest): Promise<string> {
  const { url, text, locale = null, args = null, signal } = request;
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json" },
    body: JSON.stringify({ text, locale, args }),
    timeoutMs: hookTimeoutMs,
    maxBytes: hookMaxBytes,
    signal,
  });
  if (!response.ok) {
    await response.body?.cancel();
    throw new Error(`The hook answered with status ${response.status}.`);
  }
  return answerSchema.parse(await response.json()).text;
}
