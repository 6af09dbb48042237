import type { ClientAddress } from "./client-address.ts";
import type { Fetch } from "./http-server.ts";
import type { RefusalGuard } from "./refusal-guard.ts";

const message = "Too many requests from this address were refused. Wait a minute, then try again.";

/** One body for two kinds of clients: the service's read `code` and `message`, the relay's read `errors`. */
const tooManyRefusals = (): Response =>
  Response.json(
    {
      code: "G0005",
      message,
      status: "TOO_MANY_REQUESTS",
      type: "client_error",
      errors: [{ code: "rate_limited", detail: message, attr: null }],
    },
    { status: 429, headers: { "Retry-After": "60", "Cache-Control": "no-store" } },
  );

/**
 * Counts the refusals of a request handler. Blocked visitors behind a trusted proxy get 429 at once; direct connections are
 * closed earlier (`listen`).
 */
export function blockFloods(fetch: Fetch, guard: RefusalGuard, clientAddress: ClientAddress): Fetch {
  return (request, environment) => {
    const address = clientAddress(request, environment);
    if (address === null) return fetch(request, environment);
    if (guard.isBlocked(address)) return tooManyRefusals();
    const { outgoing } = environment;
    outgoing.once("finish", () => {
      if (outgoing.statusCode >= 400 && outgoing.statusCode < 500) guard.countRefusal(address);
    });
    return fetch(request, environment);
  };
}
