import type { ServiceCall } from "./relay-deps.ts";

/** Where a service is and how to show it the key. */
export interface ServiceOverHttpOptions {
  /** The service's root, with or without a slash at its end. */
  baseUrl: string;
  apiKey: string;
  /** Default `ServicePlatform-APIKey` (interface specification, Authentication). */
  apiKeyHeader?: string;
}

const defaultApiKeyHeader = "ServicePlatform-APIKey";

/** The service at an address, called with `fetch`. Redirects are refused: they could carry the key elsewhere. */
export function serviceOverHttp({ baseUrl, apiKey, apiKeyHeader }: ServiceOverHttpOptions): ServiceCall {
  const root = baseUrl.replace(/\/+$/, "");
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    headers.set(apiKeyHeader ?? defaultApiKeyHeader, apiKey);
    return fetch(root + path, { ...init, headers, redirect: "error" });
  };
}

/** Anything that answers requests, such as a Hono app. */
export interface RequestAnswerer {
  fetch(request: Request): Response | Promise<Response>;
}

/** What belongs to one session: our own service asks for no key there. */
const sessionScope = /^\/api\/v1\/session\/[^/?]+\//;

/**
 * The service in the same process, called without a socket. Calls on a session go without the key, or the heartbeats of
 * 300 visitors would use up its writes.
 */
export function serviceInProcess(app: RequestAnswerer, apiKey: string, apiKeyHeader?: string): ServiceCall {
  return async (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (!sessionScope.test(path)) headers.set(apiKeyHeader ?? defaultApiKeyHeader, apiKey);
    return app.fetch(new Request(`http://service.invalid${path}`, { ...init, headers }));
  };
}
