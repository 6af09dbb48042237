import { randomBytes } from "node:crypto";
import { generateSignedCookie } from "hono/cookie";
import { expect, test as base } from "vitest";
import type { AccountRole } from "../../../../src/protocol/console/accounts.ts";
import { passwordHasher } from "../../../../src/service/operator-password.ts";
import type { ServiceDependencies } from "../../../../src/service/service.ts";
import type { ServiceSettings } from "../../../../src/service/service-settings.ts";
import { jsonOf } from "../../answers.ts";
import {
  addOtherOrganization,
  runService,
  settingsWith,
  type RunningService,
} from "../../service-fixture.ts";

export { jsonOf };

/** The installation's password. */
export const password = "correct horse battery";
/** Checks of the usual cost would be most of the tests' time. */
export const passwords = passwordHasher(2 ** 4);
const passwordHash = await passwords.hash(password);

/** Where the console's pages are. */
export const origin = "https://relay.example";

/** Headers of a request that the console's own page sends. */
export const own = { Origin: origin, "Content-Type": "application/json" };

type Overrides = Partial<ServiceDependencies> & { folder?: string; startMs?: number };

const signingSecret = "a secret of the test";

/** The service with a password. */
export function runConsole(
  settings: Partial<ServiceSettings> = {},
  overrides: Overrides = {},
): Promise<RunningService> {
  const own = { passwords, operatorPasswordHash: passwordHash, signingSecret };
  return runService({ ...overrides, settings: settingsWith({ ...own, ...settings }) });
}

/** A browser in which somebody is logged in. */
export interface Browser {
  /** As the browser sends it back. */
  cookie: string;
  get(path: string): Promise<Response>;
  send(method: string, path: string, body?: unknown): Promise<Response>;
}

function browserWith(run: RunningService, cookie: string): Browser {
  return {
    cookie,
    get: (path) => run.request(path, { headers: { Cookie: cookie } }),
    send: (method, path, body) =>
      run.request(path, {
        method,
        headers: { ...own, Cookie: cookie },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }),
  };
}

const cookieIn = (response: Response): string => response.headers.getSetCookie()[0]!.split(";")[0]!;

/** The browser that got an answer with the session cookie. */
export function browserOf(run: RunningService, loggedIn: Response): Browser {
  expect(loggedIn.status).toBe(200);
  return browserWith(run, cookieIn(loggedIn));
}

/** Sends a request of the console's page in which nobody is logged in. */
export function sendOwn(
  run: RunningService,
  path: string,
  body: unknown,
  headers: Record<string, string> = own,
): Promise<Response> {
  return run.request(path, { method: "POST", body: JSON.stringify(body), headers });
}

/** Logs in; as the first owner unless the body names somebody. */
export const logIn = (
  run: RunningService,
  body: unknown = { password },
  headers: Record<string, string> = own,
): Promise<Response> => sendOwn(run, "/api/console/login/", body, headers);

/** A browser in which the first owner has logged in with the password. */
export const ownerByPassword = async (run: RunningService): Promise<Browser> =>
  browserOf(run, await logIn(run));

/** A browser of the first owner. Its login is only written: to check a password takes longer than most tests. */
export async function owner(run: RunningService): Promise<Browser> {
  const { id: accountId } = (await run.store.accounts.first())!;
  const id = randomBytes(16).toString("hex");
  const nowMs = run.nowMs();
  await run.store.logins.insert({
    ...{ id, accountId, address: null, userAgent: null },
    ...{ createdAtMs: nowMs, lastSeenAtMs: nowMs, expiresAtMs: nowMs + 12 * 3_600_000 },
  });
  const cookie = await generateSignedCookie("visavis_console", id, `${signingSecret}:${passwordHash}`);
  return browserWith(run, cookie.split(";")[0]!);
}

/** A browser of a new account, which was invited by the first owner. */
export async function invited(run: RunningService, role: AccountRole, username: string): Promise<Browser> {
  const made = (await owner(run)).send("POST", "/api/console/invitations/", { role, note: username });
  const { link } = await jsonOf<{ link: string }>(made);
  const body = { token: link.split("#")[1], username, password: `${username} has a long password` };
  return browserOf(run, await sendOwn(run, "/api/console/invitation/accept/", body));
}

/** Tests with a service of their own, and a browser of its first owner. */
export const test = base.extend("run", () => runConsole()).extend("browser", ({ run }) => owner(run));

/** Calls of another organization, with its key. */
export async function otherOrganization(run: RunningService) {
  const key = "vv_other_organization_key";
  await addOtherOrganization(run, key);
  return (method: string, path: string, body?: unknown): Promise<Response> =>
    run.request(path, {
      method,
      headers: { "ServicePlatform-APIKey": key, "Content-Type": "application/json" },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
}
