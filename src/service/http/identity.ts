import type { AccountRole } from "../../protocol/console/accounts.ts";
import type { AuthFault } from "./auth-fault.ts";

/** Whom an API key belongs to. */
export interface ApiKeyHolder {
  keyId: string;
  organizationId: string;
}

/** An operator who is logged in. `id` identifies the login. */
export interface OperatorSession {
  id: string;
  accountId: string;
  username: string;
  /** What the account may do now; it may have changed since the login. */
  role: AccountRole;
  organizationId: string;
  expiresAtMs: number;
}

/** Who sent a request, as far as it is known. */
export type Identity =
  | ({ by: "key" } & ApiKeyHolder)
  /** `isIntended`: the console's own page sent the request, and not another page with the operator's cookie. */
  | { by: "operator"; session: OperatorSession; isIntended: boolean }
  /** Whoever knows the session's id, where that is enough, and the relay. */
  | { by: "session"; sessionId: string }
  /** `refusal`: why the API key in the request is not accepted. */
  | { by: "nobody"; refusal: AuthFault | null };

/** What is known of a request's sender before the operation begins. */
export interface Authentication {
  identity: Identity;
  /** Of a session-scoped request: the organization that owns the session. */
  sessionOwner: string | null;
  /** Why the store could not tell who it is. */
  fault?: unknown;
}

/** A program with an API key. It sees what an operator's browser does not. */
export interface KeyCaller extends ApiKeyHolder {
  by: "key";
}

/** A person who is logged in to the console. */
export interface OperatorCaller {
  by: "operator";
  organizationId: string;
  session: OperatorSession;
}

/** Whom an operation works for. */
export type Caller = KeyCaller | OperatorCaller;

/** The name under which a caller's changes are shown. */
export function callerName(caller: Caller): string {
  return caller.by === "operator" ? caller.session.username : "API key";
}
