import { embedContextSchema, type EmbedContext } from "../protocol/embed-context.ts";
import { RelayError } from "./relay-error.ts";
import type { ContextSource, ServiceCall } from "./relay-deps.ts";
import { failureCodes, readService } from "./service-request.ts";

/** Null if the service knows no such context. Throws for all else, with what the operator of the relay reads in the log. */
async function refusedContext(response: Response): Promise<null> {
  const { status } = response;
  const codes = await failureCodes(response);
  const isKeyRefused = status === 401 || status === 403 || codes.includes("A0009");
  // Other servers answer unknown paths with a page.
  const isService = response.headers.get("content-type")?.includes("json") === true;
  if (status === 404 && isService && !isKeyRefused) return null;
  const remedy = isKeyRefused
    ? "Check SERVICE_API_KEY and SERVICE_API_KEY_HEADER."
    : "Check SERVICE_BASE_URL.";
  const answer = [status, ...codes].join(" ");
  const cause = new Error(`The list of contexts answered ${answer}. ${remedy}`);
  throw RelayError.engineFailed(502, "The avatar service refused to list the context.", cause);
}

async function loadContext(service: ServiceCall, path: string): Promise<EmbedContext | null> {
  const response = await readService(service, path);
  if (!response.ok) return refusedContext(response);
  const body: unknown = await response.json().catch(() => null);
  const first: unknown = Array.isArray(body) ? (body[0] ?? null) : body;
  if (first === null) return null;
  const parsed = embedContextSchema.safeParse(first);
  if (!parsed.success) {
    throw RelayError.engineFailed(502, "The avatar service sent an invalid context.", parsed.error);
  }
  return parsed.data;
}

/** Finds contexts by their public key in the service's own list. */
export function serviceContexts(service: ServiceCall): ContextSource {
  return {
    get: (contextId) =>
      loadContext(service, `/api/console/b2c/contexts/?context_id=${encodeURIComponent(contextId)}`),
  };
}

/** Finds contexts in a service that knows them by UUID only. `uuids` maps public keys to UUIDs. */
export function mappedContexts(service: ServiceCall, uuids: ReadonlyMap<string, string>): ContextSource {
  return {
    get: async (contextId) => {
      const uuid = uuids.get(contextId);
      if (uuid === undefined) return null;
      return loadContext(service, `/api/console/b2c/contexts/${encodeURIComponent(uuid)}/`);
    },
  };
}
