import { randomBytes } from "node:crypto";
import type { Context } from "hono";
import { generateCookie, generateSignedCookie, getSignedCookie } from "hono/cookie";
import type { Clock } from "../clock.ts";
import type { Counter } from "../counter.ts";
import { answerCookies } from "./answer-headers.ts";

const cookieName = "visavis_console";

/** Under this path the cookie is sent: the console's own operations and the catalogues that it reads. */
const cookiePath = "/api/";

const lifetimeMs = 12 * 60 * 60 * 1000;

/** An operator who is logged in. `id` tells one login from another. */
export interface OperatorSession {
  id: string;
  organizationId: string;
  expiresAtMs: number;
}

/** Sessions of the console. They live in a signed cookie, so that every process knows them. */
export interface ConsoleSessions {
  /** The operator whom a request's cookie names; null without a cookie that is right, in time and not logged out. */
  of(context: Context): Promise<OperatorSession | null>;
  /** Logs in: sets the cookie. */
  begin(context: Context, organizationId: string): Promise<OperatorSession>;
  /** Logs out: the cookie goes, and is worth nothing to whoever kept it. */
  end(context: Context): Promise<void>;
}

function parsed(value: string): OperatorSession | null {
  const match = /^([0-9a-f]{32})\.([^.]{1,100})\.(\d{1,16})$/.exec(value);
  if (!match) return null;
  const [, id = "", organizationId = "", expires] = match;
  return { id, organizationId, expiresAtMs: Number(expires) };
}

interface ConsoleDependencies {
  clock: Clock;
  /** Remembers who logged out. */
  counter: Counter;
  publicUrl: string;
  /** A new secret ends every session; it holds the password's hash, so that a new password does too. */
  secret: string;
}

/** Console sessions signed with a secret. */
export function createConsoleSessions(dependencies: ConsoleDependencies): ConsoleSessions {
  const { clock, counter, publicUrl, secret } = dependencies;
  const attributes = {
    path: cookiePath,
    httpOnly: true,
    sameSite: "Lax",
    secure: publicUrl.startsWith("https:"),
  } as const;

  const endings = (session: OperatorSession, amount: number) =>
    counter.add(`console-end:${session.id}`, amount, Math.max(1, session.expiresAtMs - clock.nowMs()));

  async function of(context: Context): Promise<OperatorSession | null> {
    if (context.req.header("cookie") === undefined) return null;
    const value = await getSignedCookie(context, secret, cookieName);
    const session = value ? parsed(value) : null;
    if (session === null || session.expiresAtMs <= clock.nowMs()) return null;
    return (await endings(session, 0)).total > 0 ? null : session;
  }

  return {
    of,
    async begin(context, organizationId) {
      const expiresAtMs = clock.nowMs() + lifetimeMs;
      const session = { id: randomBytes(16).toString("hex"), organizationId, expiresAtMs };
      const value = `${session.id}.${organizationId}.${expiresAtMs}`;
      const kept = { ...attributes, maxAge: lifetimeMs / 1000 };
      answerCookies(context).push(await generateSignedCookie(cookieName, value, secret, kept));
      return session;
    },
    async end(context) {
      const session = await of(context);
      if (session) await endings(session, 1);
      answerCookies(context).push(generateCookie(cookieName, "", { ...attributes, maxAge: 0 }));
    },
  };
}
