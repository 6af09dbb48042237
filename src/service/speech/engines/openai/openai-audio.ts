import type { GuardedFetch, GuardedRequest } from "../../../guarded-fetch.ts";
import type { OpenAiSettings } from "./openai-settings.ts";

/** Access to a server with the OpenAI protocol. */
export interface OpenAiAccess {
  fetch: GuardedFetch;
  /** Up to and including `/v1`. */
  baseUrl: string;
  settings: OpenAiSettings;
  apiKey: string | undefined;
}

/** The largest response, in bytes: ten minutes of 24 kHz audio. */
const answerMaxBytes = 32 * 1024 * 1024;

/** The server answered with an error status. Nothing else of its response is kept. */
export class OpenAiStatusError extends Error {
  override readonly name = "OpenAiStatusError";

  constructor(readonly status: number) {
    super(`The engine answered with status ${status}.`);
  }
}

/** Calls one operation of the server. Rejects with OpenAiStatusError, or with the error of the fetch. */
export async function callOpenAi(
  { fetch, baseUrl, settings, apiKey }: OpenAiAccess,
  path: string,
  request: Pick<GuardedRequest, "body" | "headers" | "signal">,
): Promise<Response> {
  const headers = new Headers(request.headers);
  if (apiKey !== undefined) headers.set("authorization", `Bearer ${apiKey}`);
  const response = await fetch(`${baseUrl.replace(/\/+$/, "")}${path}`, {
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
