import { randomBytes } from "node:crypto";
import { generateCookie, generateSignedCookie, getSignedCookie } from "hono/cookie";
import type { Clock } from "../../clock.ts";
import type { AccountRecord, LoginRecord, Store } from "../../store/store.ts";
import { answerCookies } from "../answers/answer-headers.ts";
import type { ClientAddress } from "../node-request.ts";
import type { HttpContext } from "../http-environment.ts";
import type { OperatorSession } from "../identity.ts";

const cookieName = "visavis_console";

/** The cookie is sent under this path: to the console's own operations and to the catalogues that it reads. */
const cookiePath = "/api/";

const lifetimeMs = 12 * 60 * 60 * 1000;

/** How exactly it is stored when a login was last used: each request would write otherwise. */
const seenStepMs = 60_000;

const userAgentMaxLength = 300;

/** Sessions of the console: rows of the store, named by a signed cookie. Every process knows them, and removing a row ends one. */
export interface ConsoleSessions {
  /** The operator of the request's cookie; null where it is missing, invalid, expired or ended. */
  of(context: HttpContext): Promise<OperatorSession | null>;
  /** Logs in: sets the cookie. */
  begin(context: HttpContext, account: AccountRecord): Promise<OperatorSession>;
  /** Logs out: removes the cookie, and ends copies of it. */
  end(context: HttpContext): Promise<void>;
}

interface ConsoleDependencies {
  clock: Clock;
  store: Pick<Store, "logins">;
  publicUrl: string;
  clientAddress: ClientAddress;
  /** Signs the cookie. It contains the hash of the installation's password, so a new one ends every session. */
  secret: string;
}

function sessionOf({ id, expiresAtMs }: LoginRecord, account: AccountRecord): OperatorSession {
  const { id: accountId, username, role, organizationId } = account;
  return { id, accountId, username, role, organizationId, expiresAtMs };
}

/** Console sessions whose cookies are signed with a secret. */
export function createConsoleSessions(dependencies: ConsoleDependencies): ConsoleSessions {
  const { clock, store, publicUrl, clientAddress, secret } = dependencies;
  const { logins } = store;
  const attributes = {
    path: cookiePath,
    httpOnly: true,
    sameSite: "Lax",
    secure: publicUrl.startsWith("https:"),
  } as const;

  async function of(context: HttpContext): Promise<OperatorSession | null> {
    if (context.req.header("cookie") === undefined) return null;
    const value = await getSignedCookie(context, secret, cookieName);
    const id = /^[0-9a-f]{32}$/.exec(value || "")?.[0];
    const found = id === undefined ? null : await logins.byId(id);
    const nowMs = clock.nowMs();
    if (found === null || found.login.expiresAtMs <= nowMs) return null;
    if (nowMs - found.login.lastSeenAtMs >= seenStepMs) await logins.touch(found.login.id, nowMs);
    return sessionOf(found.login, found.account);
  }

  return {
    of,
    async begin(context, account) {
      const nowMs = clock.nowMs();
      const login: LoginRecord = {
        id: randomBytes(16).toString("hex"),
        accountId: account.id,
        address: clientAddress(context.req.raw, context.env),
        userAgent: context.req.header("user-agent")?.slice(0, userAgentMaxLength) ?? null,
        createdAtMs: nowMs,
        lastSeenAtMs: nowMs,
        expiresAtMs: nowMs + lifetimeMs,
      };
      await logins.removeExpired(nowMs);
      await logins.insert(login);
      const kept = { ...attributes, maxAge: lifetimeMs / 1000 };
      answerCookies(context).push(await generateSignedCookie(cookieName, login.id, secret, kept));
      return sessionOf(login, account);
    },
    async end(context) {
      const session = await of(context);
      if (session) await logins.remove(session.id);
      answerCookies(context).push(generateCookie(cookieName, "", { ...attributes, maxAge: 0 }));
    },
  };
}
