import type { AuthErrorBody } from "../../protocol/schema/error-body.ts";
import type { AccountRole } from "../../protocol/console/accounts.ts";

/** Why a request is refused: its API key, its password or its rate (interface specification, Authentication). */
export class AuthFault extends Error {
  override readonly name = "AuthFault";
  readonly status: 401 | 404 | 429;
  readonly body: AuthErrorBody;
  /** Sent with the answer. */
  readonly headers: Record<string, string> = {};

  constructor(status: 401 | 404 | 429, body: AuthErrorBody) {
    super(body.message);
    this.status = status;
    this.body = body;
  }

  /** A well-formed API key that does not exist. */
  static notFound(): AuthFault {
    return new AuthFault(404, {
      code: "A0009",
      message: "API key not found. The console lists the keys that there are.",
      status: "NOT_FOUND",
    });
  }

  /** No API key. */
  static missing(): AuthFault {
    return new AuthFault(401, {
      code: "A0010",
      message: "API key is missing. Send it in the header ServicePlatform-APIKey.",
      status: "UNAUTHORIZED",
    });
  }

  /** A text that cannot be an API key. */
  static invalid(): AuthFault {
    return new AuthFault(401, {
      code: "A0010",
      message: "API key is invalid. Send it as it was shown when it was created.",
      status: "UNAUTHORIZED",
    });
  }

  /** The session's id alone gives no access here. */
  static sessionKeyRequired(): AuthFault {
    return new AuthFault(401, {
      code: "A0010",
      message:
        "Calls of a session need an API key here (header ServicePlatform-APIKey). Browsers use the relay. VISAVIS_SESSION_ACCESS=open allows everyone who knows the session's id.",
      status: "UNAUTHORIZED",
    });
  }

  /** Expired or revoked. */
  static deactivated(): AuthFault {
    return new AuthFault(401, {
      code: "A0011",
      message: "API key has expired or was deactivated. Create another one.",
      status: "UNAUTHORIZED",
    });
  }

  /** Nobody is logged in to the console. */
  static loggedOut(): AuthFault {
    return new AuthFault(401, {
      code: "A0010",
      message: "Nobody is logged in, or the login has ended; log in again.",
      status: "UNAUTHORIZED",
    });
  }

  /** The password is wrong, or there is no account of that name: the answer does not say which. */
  static wrongPassword({ isNamed }: { isNamed: boolean }): AuthFault {
    return new AuthFault(401, {
      code: "A0010",
      message: isNamed ? "The user name or the password is wrong." : "The password is wrong.",
      status: "UNAUTHORIZED",
    });
  }

  /** One address sends too many bytes of request bodies at the same time. */
  static tooManyBodyBytes(retryAfterSec: number): AuthFault {
    const fault = new AuthFault(429, {
      code: "G0005",
      message: `Too many bytes of request bodies at once. Try again in ${retryAfterSec} s.`,
      status: "TOO_MANY_REQUESTS",
    });
    fault.headers["Retry-After"] = String(retryAfterSec);
    return fault;
  }

  /** More requests than the window allows. */
  static rateLimited(message = "Rate limit exceeded. Wait until the time in X-RateLimit-Reset."): AuthFault {
    return new AuthFault(429, {
      code: "G0005",
      message,
      status: "TOO_MANY_REQUESTS",
    });
  }
}

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
interface KeyCaller extends ApiKeyHolder {
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
