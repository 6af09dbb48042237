import { createHash, timingSafeEqual } from "node:crypto";
import { hashApiKey, isApiKeyShaped } from "../../api-key.ts";
import type { Clock } from "../../clock.ts";
import type { Store } from "../../store/store.ts";
import {
  type ApiKeyHolder,
  type Authentication,
  AuthFault,
  type Caller,
  type Identity,
} from "../identity.ts";
import type { HttpContext } from "../http-environment.ts";
import { requestHeader } from "../node-request.ts";
import type { relayTokenHeader } from "../../../protocol/session/relay-session.ts";
import { LRUCache } from "lru-cache";
import { tryDecode } from "hono/utils/url";
import { type AccountRole, accountRoles } from "../../../protocol/console/accounts.ts";
import { Fault } from "../../faults/fault.ts";
import type { SessionAccess } from "../../service-settings.ts";
import type { ConsoleSessions } from "../console/console-session.ts";
import { isIntended, isUnsafe } from "./same-origin.ts";

/** Both headers mean the same (wire conventions, Names the specification leaves out). */
const apiKeyHeaders = ["serviceplatform-apikey", "xp-api-key"] as const;

/** Clients of a third-party SDK send this header to the voices listing (interface specification, Authentication). */
export const voicesKeyHeader = "xi-api-key";

/** The API key in the request's headers, valid or not; null where there is none. */
function presentedApiKey(context: HttpContext, alsoNamed?: Lowercase<string>): string | null {
  for (const name of apiKeyHeaders) {
    const value = requestHeader(context, name);
    if (value !== null) return value;
  }
  return alsoNamed === undefined ? null : requestHeader(context, alsoNamed);
}

/** The API key as a bearer token, which every version of Prometheus can send; null where there is none. */
function bearerKey(context: HttpContext): string | null {
  return /^Bearer +(\S+)$/i.exec(requestHeader(context, "authorization") ?? "")?.[1] ?? null;
}

/** Finds the holder of an API key. Throws an AuthFault. */
async function apiKeyHolder(
  { apiKeys }: Pick<Store, "apiKeys">,
  clock: Clock,
  key: string | null,
): Promise<ApiKeyHolder> {
  if (!key || !isApiKeyShaped(key)) throw AuthFault.invalid();
  const hash = hashApiKey(key);
  const record = await apiKeys.byHash(hash);
  if (record === null || !timingSafeEqual(Buffer.from(record.hash), Buffer.from(hash)))
    throw AuthFault.notFound();
  const expired = record.expiresAtMs !== null && record.expiresAtMs <= clock.nowMs();
  if (expired || record.revokedAtMs !== null) throw AuthFault.deactivated();
  return { keyId: record.id, organizationId: record.organizationId };
}

const headerName = "visavis-relay-token" satisfies Lowercase<typeof relayTokenHeader>;

/** Whether a request carries the relay token. */
type RelayTokenCheck = (context: HttpContext) => boolean;

const digest = (text: string): Buffer => createHash("sha256").update(text).digest();

/** Compares digests, so that timing reveals neither the token nor its length. Without a token no request passes. */
export function relayTokenCheck(token: string | undefined): RelayTokenCheck {
  if (!token) return () => false;
  const expected = digest(token);
  return (context) => {
    const given = requestHeader(context, headerName);
    return given !== null && timingSafeEqual(digest(given), expected);
  };
}

const keptOwners = 100_000;

/** The organization that owns the session of an id; null where there is no such session. */
type SessionOwners = (sessionId: string) => Promise<string | null>;

/**
 * Finds and caches the owners of sessions. A session keeps its owner and is never deleted, so each is read once. Unknown
 * ids are not cached: guessed ids would fill the memory.
 */
export function createSessionOwners({ sessions }: Pick<Store, "sessions">): SessionOwners {
  // With `max`, an empty cache would already take the memory and the time of a full one.
  const owners = new LRUCache<string, string>({ maxSize: keptOwners, sizeCalculation: () => 1 });
  return async (sessionId) => {
    const known = owners.get(sessionId);
    if (known !== undefined) return known;
    const session = await sessions.byId(sessionId);
    if (session === null) return null;
    owners.set(sessionId, session.organizationId);
    return session.organizationId;
  };
}

/** The speech voices listing, whose path has no slash at its end. */
export const voicesPath = "/api/speech/v2/voices";

/** The metrics for Prometheus. */
export const metricsPath = "/metrics";

/** Operations on a session, whether or not the session exists. */
const sessionOperation = /^\/api\/v1\/session\/([^/]+)\//;

/** Reporting an event declares no credential (interface specification, Authentication, 4). */
const eventCreate = /^\/api\/v1\/session\/[^/]+\/event\/create\/$/;

const sessionIdPattern = /^[0-9a-f]{40}$/;

/** Where the console's cookie is accepted: everywhere but on session-scoped paths. */
const consoleScope = /^\/api\/(?!v1\/session\/)/;

interface AuthenticationDependencies {
  store: Store;
  clock: Clock;
  owners: SessionOwners;
  consoleSessions: ConsoleSessions;
  publicUrl: string;
  sessionAccess: SessionAccess;
  isRelay: RelayTokenCheck;
}

async function holderOf(
  { store, clock }: AuthenticationDependencies,
  key: string,
): Promise<Extract<Identity, { by: "key" | "nobody" }>> {
  try {
    return { by: "key", ...(await apiKeyHolder(store, clock, key)) };
  } catch (error) {
    if (error instanceof AuthFault) return { by: "nobody", refusal: error };
    throw error;
  }
}

/** The id of the session in a path, also where it is percent-encoded; undefined where there can be no such session. */
function namedSession(path: string): string | undefined {
  const part = sessionOperation.exec(path)?.[1];
  if (part === undefined) return undefined;
  const id = part.includes("%") ? tryDecode(part, decodeURIComponent) : part;
  return sessionIdPattern.test(id) ? id : undefined;
}

function presentedKey(context: HttpContext): string | null {
  const { path } = context.req;
  const key = presentedApiKey(context, path === voicesPath ? voicesKeyHeader : undefined);
  return key ?? (path === metricsPath ? bearerKey(context) : null);
}

/** Whether a path reports an event, which the session's id alone allows everywhere. */
export function isEventCreate(path: string): boolean {
  return eventCreate.test(path);
}

/** Whether a path is session-scoped and the session's id alone gives no access. */
function needsKey({ sessionAccess }: AuthenticationDependencies, path: string): boolean {
  return sessionAccess === "key" && sessionOperation.test(path) && !isEventCreate(path);
}

/** Who sent a request with an API key, on a session of `sessionOwner` or on none. */
async function withKey(
  dependencies: AuthenticationDependencies,
  key: string,
  context: HttpContext,
  sessionId: string | undefined,
  sessionOwner: string | null,
): Promise<Authentication> {
  const identity = await holderOf(dependencies, key);
  // A relay in another process sends both key and token, and is counted like one that sends only the token.
  const isOwnRelay =
    sessionId !== undefined &&
    identity.by === "key" &&
    identity.organizationId === sessionOwner &&
    dependencies.isRelay(context);
  return { identity: isOwnRelay ? { by: "session", sessionId } : identity, sessionOwner };
}

async function authenticationOf(
  dependencies: AuthenticationDependencies,
  context: HttpContext,
): Promise<Authentication> {
  const { path } = context.req;
  const key = presentedKey(context);
  if (key === null && needsKey(dependencies, path) && !dependencies.isRelay(context))
    return { identity: { by: "nobody", refusal: AuthFault.sessionKeyRequired() }, sessionOwner: null };
  const sessionId = namedSession(path);
  const sessionOwner = sessionId === undefined ? null : await dependencies.owners(sessionId);
  if (key !== null) return withKey(dependencies, key, context, sessionId, sessionOwner);
  if (sessionId !== undefined && sessionOwner !== null)
    return { identity: { by: "session", sessionId }, sessionOwner };
  const session = consoleScope.test(path) ? await dependencies.consoleSessions.of(context) : null;
  if (session === null) return { identity: { by: "nobody", refusal: null }, sessionOwner };
  const { publicUrl } = dependencies;
  return {
    identity: { by: "operator", session, isIntended: isIntended(context, publicUrl) },
    sessionOwner,
  };
}

/** Finds out who sent a request and sets its `authentication`. */
export type Authenticate = (context: HttpContext) => Promise<void>;

/** Authenticates requests. Where the store fails, the operation fails, if it needs to know its caller. */
export function authentication(dependencies: AuthenticationDependencies): Authenticate {
  return async (context) => {
    const known = await authenticationOf(dependencies, context).catch((fault: unknown): Authentication => {
      return { identity: { by: "nobody", refusal: null }, sessionOwner: null, fault };
    });
    context.set("authentication", known);
  };
}

/**
 * Throws where the API key of a session-scoped request is invalid (401, 404), belongs to another organization (403), is
 * missing although one is needed (401), or cannot be checked now.
 */
export function checkSessionAccess(context: HttpContext): void {
  const { identity, sessionOwner, fault } = context.get("authentication");
  if (identity.by === "session" || !sessionOperation.test(context.req.path)) return;
  if (identity.by === "nobody" && identity.refusal) throw identity.refusal;
  if (fault !== undefined && presentedKey(context) !== null)
    throw Fault.server("An unexpected error occurred.", fault);
  if (identity.by === "key" && sessionOwner !== null && sessionOwner !== identity.organizationId)
    throw Fault.forbidden();
}

/** Throws a not-found Fault where the path's session does not exist. Called before a body is read. */
export function requireSession(context: HttpContext): void {
  const { sessionOwner, fault } = context.get("authentication");
  if (sessionOwner === null && fault === undefined) throw Fault.notFound();
}

/** Which callers an operation takes. */
export interface CallerRules {
  key: boolean;
  operator: boolean;
  /** The least role that may call. An API key may do what an editor may. */
  role: AccountRole;
}

/** Whether a role includes another. */
function mayActAs(role: AccountRole, needed: AccountRole): boolean {
  return accountRoles.indexOf(role) >= accountRoles.indexOf(needed);
}

function operatorCaller(
  context: HttpContext,
  { session, isIntended: isMeant }: Extract<Identity, { by: "operator" }>,
  role: AccountRole,
): Caller {
  if (isUnsafe(context) && !isMeant)
    throw Fault.forbidden("CSRF check failed: send JSON, or X-Requested-With, from the console's own page.");
  if (!mayActAs(session.role, role)) throw Fault.forbidden("You may not do this here.");
  return { by: "operator", organizationId: session.organizationId, session };
}

/**
 * The caller of an operation that needs one; the only place that checks roles. Throws an AuthFault where there is none, and a
 * Fault where the console's cookie came with a request that the operator did not intend, or the caller's role is not enough.
 */
export function requireCaller(context: HttpContext, { key, operator, role }: CallerRules): Caller {
  const { identity, fault } = context.get("authentication");
  if (fault !== undefined) throw Fault.server("An unexpected error occurred.", fault);
  if (identity.by === "operator" && operator) return operatorCaller(context, identity, role);
  if (identity.by === "key") {
    if (!key || !mayActAs("editor", role))
      throw Fault.forbidden("You may not do this with an API key; log in to the console.");
    return identity;
  }
  const refusal = identity.by === "nobody" ? identity.refusal : null;
  throw refusal ?? (key ? AuthFault.missing() : AuthFault.loggedOut());
}
