import { randomBytes } from "node:crypto";
import { generateSignedCookie } from "hono/cookie";
import { expect } from "vitest";
import type { AccountRole } from "../../../../src/protocol/console/accounts.ts";
import { passwordHasher } from "../../../../src/service/operator-password.ts";
import { defaultServiceSettings } from "../../../../src/service/service-settings.ts";
import type { ServiceDependencies } from "../../../../src/service/service.ts";
import type { ServiceSettings } from "../../../../src/service/service-settings.ts";
import { runService, type RunningService } from "../../service-fixture.ts";

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
  return runService({
    ...overrides,
    settings: {
      ...defaultServiceSettings,
      publicUrl: origin,
      publicFolder: "/srv/public",
      passwords,
      operatorPasswordHash: passwordHash,
      signingSecret,
      ...settings,
    },
  });
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
  const made = await (await owner(run)).send("POST", "/api/console/invitations/", { role, note: username });
  const { link } = (await made.json()) as { link: string };
  const body = { token: link.split("#")[1], username, password: `${username} has a long password` };
  return browserOf(run, await sendOwn(run, "/api/console/invitation/accept/", body));
}

/** The JSON of an answer that must have succeeded. */
export async function jsonOf<Value>(answer: Promise<Response> | Response): Promise<Value> {
  const response = await answer;
  expect([200, 201]).toContain(response.status);
  return (await response.json()) as Value;
}
