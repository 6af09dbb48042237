import { errors, jwtVerify, SignJWT } from "jose";
import { RelayError } from "../relay-error.ts";
import type { RelayClock } from "../relay-deps.ts";

/** How long a token is valid after the last heartbeat, in seconds. */
export const tokenLifetimeSec = 300;

const issuer = "visavis-relay";
const secretMinBytes = 32;

/** What a token contains. */
export interface SessionClaims {
  sessionId: string;
  contextId: string;
  /** The only origin whose requests may use the token. */
  origin: string;
  visitorId: string | null;
  /** The name of the address that opened the session (`ClientAddresses`), for which its place is counted. */
  address: string | null;
  /** When the session was created, in ms since the epoch. */
  startedAtMs: number;
}

/** A signed token and when it ends, in ISO 8601. */
export interface SignedToken {
  token: string;
  expiresAt: string;
}

/** Makes and verifies session tokens: JWTs with HS256 (RFC 7519), short-lived and bound to session, context and origin. */
export class SessionTokens {
  readonly #secret: Uint8Array;
  readonly #clock: RelayClock;

  /** @throws RangeError when the secret is shorter than 32 bytes. */
  constructor(secret: Uint8Array, clock: RelayClock) {
    if (secret.byteLength < secretMinBytes) {
      throw new RangeError(
        `tokenSecret has ${secret.byteLength} bytes; it needs at least ${secretMinBytes}.`,
      );
    }
    this.#secret = secret;
    this.#clock = clock;
  }

  async sign(claims: SessionClaims): Promise<SignedToken> {
    const issuedAtSec = Math.floor(this.#clock.now() / 1000);
    const expiresAtSec = issuedAtSec + tokenLifetimeSec;
    const token = await new SignJWT({
      ctx: claims.contextId,
      org: claims.origin,
      beg: claims.startedAtMs,
      ...(claims.visitorId !== null && { vis: claims.visitorId }),
      ...(claims.address !== null && { adr: claims.address }),
    })
      .setProtectedHeader({ alg: "HS256" })
      .setIssuer(issuer)
      .setSubject(claims.sessionId)
      .setIssuedAt(issuedAtSec)
      .setExpirationTime(expiresAtSec)
      .sign(this.#secret);
    return { token, expiresAt: new Date(expiresAtSec * 1000).toISOString() };
  }

  /**
   * The claims of a token for this session and origin.
   *
   * @throws RelayError session_lost: 410 if the token was valid and has expired, otherwise 404.
   */
  async verify(token: string, sessionId: string, origin: string): Promise<SessionClaims> {
    const claims = await this.#read(token);
    if (claims.sessionId !== sessionId || claims.origin !== origin) throw RelayError.sessionLost();
    return claims;
  }

  async #read(token: string): Promise<SessionClaims> {
    try {
      const { payload } = await jwtVerify(token, this.#secret, {
        issuer,
        algorithms: ["HS256"],
        currentDate: new Date(this.#clock.now()),
      });
      const { sub, ctx, org, beg, vis, adr } = payload;
      if (typeof sub !== "string" || typeof ctx !== "string" || typeof org !== "string")
        throw new Error("claims");
      if (typeof beg !== "number") throw new Error("claims");
      return {
        sessionId: sub,
        contextId: ctx,
        origin: org,
        visitorId: typeof vis === "string" ? vis : null,
        address: typeof adr === "string" ? adr : null,
        startedAtMs: beg,
      };
    } catch (cause) {
      throw cause instanceof errors.JWTExpired ? RelayError.sessionExpired() : RelayError.sessionLost();
    }
  }
}
