import { violations } from "../support/axe.ts";
import { expect, operatorPassword, type Page } from "../support/test.ts";
import { useServerAlone, type Environment, type Served } from "../support/served-site.ts";
import { canaryKey, type Server } from "../support/stack.ts";

export const password = operatorPassword;

/**
 * The console of the worker's server, for tests that only look at what they make themselves; with `env` (`{}` is enough) that of a
 * server which only the tests of this file use.
 */
export function useConsole(env?: Environment | (() => Environment)): Pick<Served, "server"> {
  if (env === undefined) return useServerAlone();
  const own = { VISAVIS_PASSWORD: password, VISAVIS_LOGINS_PER_MINUTE: "600" };
  return useServerAlone({ env: () => ({ ...own, ...(typeof env === "function" ? env() : env) }) });
}

/** Opens a page of the console for somebody who is not signed in. */
export async function openConsole(page: Page, { origin }: Server, path = ""): Promise<void> {
  await page.goto(`${origin}/console/${path && `#${path}`}`);
}

/** Opens a page of the console, signed in as the first owner. The form itself is tested in `sign-in.spec.ts`. */
export async function signIn(page: Page, server: Server, path = ""): Promise<void> {
  const answer = await page.request.post(`${server.origin}/api/console/login/`, { data: { password } });
  expect(answer.ok()).toBe(true);
  await openConsole(page, server, path);
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** Calls the service with an API key, as an owner's program. */
export async function callService(
  { origin }: Server,
  method: string,
  path: string,
  body?: unknown,
): Promise<Response> {
  return fetch(`${origin}${path}`, {
    method,
    headers: { "ServicePlatform-APIKey": canaryKey, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
}

/** The widget in the editor's preview has tests of its own. */
const exclude = "iframe";
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];

/** Fails when axe finds a problem, or in dark colours a wrong contrast: nothing else differs there. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await expect.poll(() => violations(page, { exclude, tags }), "light").toEqual([]);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expect.poll(() => violations(page, { exclude, only: ["color-contrast"] }), "dark").toEqual([]);
}

/** Fails when the page is wider than the window. */
export async function expectNoSidewaysScrolling(page: Page): Promise<void> {
  const excess = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(excess).toBeLessThanOrEqual(0);
}

/** Collects what the page reports against its security policy, and its errors. */
export function pageProblems(page: Page): string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error" && /policy|trusted/i.test(message.text())) problems.push(message.text());
  });
  return problems;
}
