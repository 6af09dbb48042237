import type { AuthErrorBody } from "../../protocol/error-body.ts";

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
