import { errors, jwtVerify, SignJWT } from "jose";
import { RelayError } from "./relay-error.ts";
import type { RelayClock } from "./relay-deps.ts";

/** A session's token is good for so long after the last heartbeat, in seconds. */
export const tokenLifetimeSec = 300;

const issuer = "visavis-relay";
const secretMinBytes = 32;

/** What a token binds together. */
export interface SessionClaims {
  sessionId: string;
  contextId: string;
  /** The only origin whose requests the token admits. */
  origin: string;
  /** The place the session holds in the counters. */
  holder: string;
  visitorId: string | null;
  /** When the token was made, in ms since the epoch. */
  issuedAtMs: number;
}

/** A signed token and when it ends, in ISO 8601. */
export interface SignedToken {
  token: string;
  expiresAt: string;
}

/** Makes and reads session tokens: JWTs, HS256 (RFC 7519), short and bound to session, context and origin. */
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

  async sign(claims: Omit<SessionClaims, "issuedAtMs">): Promise<SignedToken> {
    const issuedAtSec = Math.floor(this.#clock.now() / 1000);
    const expiresAtSec = issuedAtSec + tokenLifetimeSec;
    const token = await new SignJWT({
      ctx: claims.contextId,
      org: claims.origin,
      hld: claims.holder,
      ...(claims.visitorId !== null && { vis: claims.visitorId }),
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
   * @throws RelayError session_lost: 410 when the token was good and is over, else 404 whatever is wrong with it.
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
      const { sub, iat, ctx, org, hld, vis } = payload;
      if (typeof sub !== "string" || typeof ctx !== "string" || typeof org !== "string")
        throw new Error("claims");
      return {
        sessionId: sub,
        contextId: ctx,
        origin: org,
        holder: typeof hld === "string" ? hld : sub,
        visitorId: typeof vis === "string" ? vis : null,
        issuedAtMs: (iat ?? 0) * 1000,
      };
    } catch (cause) {
      throw cause instanceof errors.JWTExpired ? RelayError.sessionExpired() : RelayError.sessionLost();
    }
  }
}
