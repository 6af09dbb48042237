import { withoutLastSlashes } from "../../protocol/last-slashes.ts";
import { relayTokenHeader } from "../../protocol/session/relay-session.ts";
import type { ServiceCall } from "../relay-deps.ts";

/** Where a service is and how it gets the key. */
export interface ServiceOverHttpOptions {
  /** The service's root, with or without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** Default `ServicePlatform-APIKey` (interface specification, Authentication). */
  apiKeyHeader?: string;
  /**
   * The relay token of our own service (`VISAVIS_RELAY_TOKEN`). Calls for a session then count for that session instead of
   * the API key, whose writes the heartbeats of 300 visitors would use up.
   */
  relayToken?: string | undefined;
}

const defaultApiKeyHeader = "ServicePlatform-APIKey";

/** Paths of one session. */
const sessionScope = /^\/api\/v1\/session\/[^/?]+\//;

/** The answer, unless it sends the call elsewhere: the key would go there too. */
async function withoutRedirect(answer: Promise<Response>): Promise<Response> {
  const response = await answer;
  const { status, type } = response;
  if (type !== "opaqueredirect" && (status < 300 || status > 399)) return response;
  await response.body?.cancel().catch(() => undefined);
  throw new TypeError("The service's address redirects to another one. Set that one.");
}

/** A service at a URL, called with `fetch`. Redirects are refused. */
export function serviceOverHttp({
  baseUrl,
  apiKey,
  apiKeyHeader = defaultApiKeyHeader,
  relayToken,
}: ServiceOverHttpOptions): ServiceCall {
  const root = withoutLastSlashes(baseUrl);
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set(apiKeyHeader, apiKey);
    if (relayToken !== undefined && sessionScope.test(path)) headers.set(relayTokenHeader, relayToken);
    // Not "error": with that, the `fetch` of Node 20 forgets its signal at the next collection of garbage.
    return withoutRedirect(fetch(root + path, { ...init, headers, redirect: "manual" }));
  };
}

/** Anything that answers requests, such as a Hono app. */
export interface RequestAnswerer {
  fetch(request: Request): Response | Promise<Response>;
}

/** A request's bytes as a stream of one piece, because `Request` would copy them. */
function withoutCopy(init: RequestInit, headers: Headers): RequestInit {
  const { body } = init;
  if (!(body instanceof Uint8Array)) return init;
  headers.set("Content-Length", String(body.byteLength));
  const stream = new ReadableStream<Uint8Array>({
    start(controller) {
      if (body.byteLength > 0) controller.enqueue(body);
      controller.close();
    },
  });
  const streamed: RequestInit & { duplex: "half" } = { ...init, body: stream, duplex: "half" };
  return streamed;
}

/** Options for a service in the same process. */
export interface ServiceInProcessOptions {
  /** Default `ServicePlatform-APIKey`. */
  apiKeyHeader?: string;
  /** The service's `relayToken`. Needed unless its session paths are open to everybody. */
  relayToken?: string | undefined;
}

/**
 * A service in the same process, called without a socket. Calls for a session use the relay token instead of the API key,
 * whose writes the heartbeats of 300 visitors would use up.
 */
export function serviceInProcess(
  app: RequestAnswerer,
  apiKey: string,
  { apiKeyHeader = defaultApiKeyHeader, relayToken }: ServiceInProcessOptions = {},
): ServiceCall {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!sessionScope.test(path)) headers.set(apiKeyHeader, apiKey);
    else if (relayToken !== undefined) headers.set(relayTokenHeader, relayToken);
    return app.fetch(
      new Request(`http://service.invalid${path}`, { ...withoutCopy(init, headers), headers }),
    );
  };
}
