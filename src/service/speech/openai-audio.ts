import type { GuardedFetch, GuardedRequest } from "../guarded-fetch.ts";
import type { OpenAiSettings } from "./engine-settings.ts";

/** How a server of the OpenAI protocol is reached. */
export interface OpenAiAccess {
  fetch: GuardedFetch;
  settings: OpenAiSettings;
  apiKey: string | undefined;
}

/** The largest answer, in bytes: ten minutes of 24 kHz audio. */
const answerMaxBytes = 32 * 1024 * 1024;

/** An answer of the server that is none, with no more of it than its status. */
export class OpenAiStatusError extends Error {
  override readonly name = "OpenAiStatusError";

  constructor(readonly status: number) {
    super(`The engine answered with status ${status}.`);
  }
}

/** Calls one operation of the server. Rejects with OpenAiStatusError, or as the fetch does. */
export async function callOpenAi(
  { fetch, settings, apiKey }: OpenAiAccess,
  path: string,
  request: Pick<GuardedRequest, "body" | "headers" | "signal">,
): Promise<Response> {
  const headers = new Headers(request.headers);
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const response = await fetch(`${settings.base_url.replace(/\/+$/, "")}${path}`, {
    ...request,
    method: "POST",
    headers,
    timeoutMs: settings.timeout_sec * 1_000,
    maxBytes: answerMaxBytes,
  });
  if (response.ok) return response;
  await response.body?.cancel();
  throw new OpenAiStatusError(response.status);
}
