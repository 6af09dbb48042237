import type { Context } from "hono";
import { tryDecode } from "hono/utils/url";
import type { Clock } from "../clock.ts";
import { Fault } from "../fault.ts";
import type { SessionAccess } from "../service-settings.ts";
import type { Store } from "../store/store.ts";
import { apiKeyHolder, bearerKey, presentedApiKey, voicesKeyHeader } from "./api-key-check.ts";
import type { ApiKeyHolder } from "./api-key-check.ts";
import { AuthFault } from "./auth-fault.ts";
import type { ConsoleSessions, OperatorSession } from "./console-session.ts";
import type { RelayTokenCheck } from "./relay-token-check.ts";
import { isMeant, isUnsafe } from "./same-origin.ts";
import type { SessionOwners } from "./session-owners.ts";

/** The speech voices listing, which has no slash at its end. */
export const voicesPath = "/api/speech/v2/voices";

/** The figures for Prometheus. */
export const metricsPath = "/metrics";

/** Operations on a session, whether or not there is one of that id. */
const sessionOperation = /^\/api\/v1\/session\/([^/]+)\//;

const sessionIdPattern = /^[0-9a-f]{40}$/;

/** Where nothing but a session is spoken of, the console's cookie means nothing. */
const consoleScope = /^\/api\/(?!v1\/session\/)/;

/** Who sent a request, as far as it shows. */
export type Identity =
  | ({ by: "key" } & ApiKeyHolder)
  | { by: "operator"; session: OperatorSession }
  /** Whoever knows the session's id, where that is enough, and the relay. */
  | { by: "session"; sessionId: string }
  /** `refusal`: why the key that was shown opens nothing. */
  | { by: "nobody"; refusal: AuthFault | null };

/** What is known of a request before its operation begins. */
export interface Visit {
  identity: Identity;
  /** Of a session-scoped request: the organization whose session it is. */
  sessionOwner: string | null;
  /** Why the store could not tell who it is. */
  fault?: unknown;
}

interface VisitDependencies {
  store: Store;
  clock: Clock;
  owners: SessionOwners;
  consoleSessions: ConsoleSessions;
  publicUrl: string;
  sessionAccess: SessionAccess;
  isRelay: RelayTokenCheck;
}

async function holderOf(
  { store, clock }: VisitDependencies,
  key: string,
): Promise<Extract<Identity, { by: "key" | "nobody" }>> {
  try {
    return { by: "key", ...(await apiKeyHolder(store, clock, key)) };
  } catch (error) {
    if (error instanceof AuthFault) return { by: "nobody", refusal: error };
    throw error;
  }
}

/** The session that a path speaks of, however its letters are written; undefined where it can be none. */
function namedSession(path: string): string | undefined {
  const part = sessionOperation.exec(path)?.[1];
  if (part === undefined) return undefined;
  const id = part.includes("%") ? tryDecode(part, decodeURIComponent) : part;
  return sessionIdPattern.test(id) ? id : undefined;
}

function presentedKey({ req: { path, raw } }: Context): string | null {
  const key = presentedApiKey(raw, path === voicesPath ? voicesKeyHeader : undefined);
  return key ?? (path === metricsPath ? bearerKey(raw) : null);
}

/** Whether a path is one of a session, and the session's id alone does not open it. */
function needsKey({ sessionAccess }: VisitDependencies, path: string): boolean {
  return sessionAccess === "key" && sessionOperation.test(path);
}

/** Who sent a request that shows a key, on a session of `sessionOwner` or on none. */
async function keyedVisit(
  dependencies: VisitDependencies,
  key: string,
  { req }: Context,
  sessionId: string | undefined,
  sessionOwner: string | null,
): Promise<Visit> {
  const identity = await holderOf(dependencies, key);
  // A relay in another process shows the key with the token, and is counted as one that shows the token alone.
  const isOwnRelay =
    sessionId !== undefined &&
    identity.by === "key" &&
    identity.organizationId === sessionOwner &&
    dependencies.isRelay(req.raw);
  return { identity: isOwnRelay ? { by: "session", sessionId } : identity, sessionOwner };
}

async function visitOf(dependencies: VisitDependencies, context: Context): Promise<Visit> {
  const { path, raw } = context.req;
  const key = presentedKey(context);
  if (key === null && needsKey(dependencies, path) && !dependencies.isRelay(raw))
    return { identity: { by: "nobody", refusal: AuthFault.sessionKeyRequired() }, sessionOwner: null };
  const sessionId = namedSession(path);
  const sessionOwner = sessionId === undefined ? null : await dependencies.owners(sessionId);
  if (key !== null) return keyedVisit(dependencies, key, context, sessionId, sessionOwner);
  if (sessionId !== undefined && sessionOwner !== null)
    return { identity: { by: "session", sessionId }, sessionOwner };
  const session = consoleScope.test(path) ? await dependencies.consoleSessions.of(context) : null;
  return { identity: session ? { by: "operator", session } : { by: "nobody", refusal: null }, sessionOwner };
}

/** Finds out who sent a request. */
export type VisitorRecognition = (context: Context) => Promise<void>;

/** Notes of each request who sent it. What the store cannot tell now is for the operation to fail at. */
export function visitorRecognition(dependencies: VisitDependencies): VisitorRecognition {
  return async (context) => {
    context.set("publicUrl", dependencies.publicUrl);
    context.set(
      "visit",
      await visitOf(dependencies, context).catch((fault: unknown): Visit => {
        return { identity: { by: "nobody", refusal: null }, sessionOwner: null, fault };
      }),
    );
  };
}

/** The visit of a request that was recognised. */
export function visit(context: Context): Visit {
  return context.get("visit") as Visit;
}

/**
 * Throws where a session-scoped request's key is no key (401, 404), one of another organization (403) or missing although
 * one is needed (401), and where it cannot be checked now.
 */
export function checkSessionAccess(context: Context): void {
  const { identity, sessionOwner, fault } = visit(context);
  if (identity.by === "session" || !sessionOperation.test(context.req.path)) return;
  if (identity.by === "nobody" && identity.refusal) throw identity.refusal;
  if (fault !== undefined && presentedKey(context) !== null)
    throw Fault.server("An unexpected error occurred.", fault);
  if (identity.by === "key" && sessionOwner !== null && sessionOwner !== identity.organizationId)
    throw Fault.forbidden();
}

/** Throws a not-found Fault where the path's session is not there. Asked before a body is read. */
export function requireSession(context: Context): void {
  const { sessionOwner, fault } = visit(context);
  if (sessionOwner === null && fault === undefined) throw Fault.notFound();
}

/** Whom an operation works for. */
export interface Caller {
  organizationId: string;
  /** An API key sees what an operator's browser does not. */
  by: "key" | "operator";
}

/**
 * The caller of an operation that asks for one. Throws an AuthFault where there is none, and a Fault where the console's
 * cookie came with a request that the operator did not mean.
 */
export function requireCaller(context: Context, takesCookie: boolean): Caller {
  const { identity, fault } = visit(context);
  if (fault !== undefined) throw Fault.server("An unexpected error occurred.", fault);
  if (identity.by === "key") return { organizationId: identity.organizationId, by: "key" };
  if (identity.by === "operator" && takesCookie) {
    if (isUnsafe(context) && !isMeant(context, context.get("publicUrl") as string))
      throw Fault.forbidden(
        "CSRF check failed: send JSON, or X-Requested-With, from the console's own page.",
      );
    return { organizationId: identity.session.organizationId, by: "operator" };
  }
  throw (identity.by === "nobody" ? identity.refusal : null) ?? AuthFault.invalid();
}
