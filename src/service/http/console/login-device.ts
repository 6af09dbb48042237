import { randomBytes } from "node:crypto";
import { generateSignedCookie, getSignedCookie } from "hono/cookie";
import type { Clock } from "../../clock.ts";
import { answerCookies } from "../answers/answer-headers.ts";
import type { HttpContext } from "../http-environment.ts";

/** Where the operator logs in; the cookie is sent nowhere else. */
export const loginPath = "/api/console/login/";

const cookieName = "visavis_device";
const lifetimeMs = 180 * 24 * 60 * 60 * 1000;

/**
 * Browsers in which the operator has logged in before, known by a signed cookie. The cookie gives no access: it only gives
 * the browser its own limit, so that others at its address who guess passwords do not use it up.
 */
export interface LoginDevices {
  /** The id of the request's browser; null where the operator never logged in from it, or too long ago. */
  of(context: HttpContext): Promise<string | null>;
  /** Remembers the request's browser for half a year. */
  remember(context: HttpContext): Promise<void>;
}

/** Devices whose cookies are signed with a secret. */
export function createLoginDevices({
  clock,
  publicUrl,
  secret,
}: {
  clock: Clock;
  publicUrl: string;
  secret: string;
}): LoginDevices {
  async function of(context: HttpContext): Promise<string | null> {
    if (context.req.header("cookie") === undefined) return null;
    const value = await getSignedCookie(context, secret, cookieName);
    const [, id, expires] = /^([0-9a-f]{32})\.(\d{1,16})$/.exec(value || "") ?? [];
    return id !== undefined && Number(expires) > clock.nowMs() ? id : null;
  }
  return {
    of,
    async remember(context) {
      const id = (await of(context)) ?? randomBytes(16).toString("hex");
      const value = `${id}.${clock.nowMs() + lifetimeMs}`;
      answerCookies(context).push(
        await generateSignedCookie(cookieName, value, secret, {
          path: loginPath,
          httpOnly: true,
          sameSite: "Strict",
          secure: publicUrl.startsWith("https:"),
          maxAge: lifetimeMs / 1000,
        }),
      );
    },
  };
}
