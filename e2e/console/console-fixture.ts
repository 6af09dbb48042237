import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { canaryKey, startServer, type Server } from "../support/stack.ts";

/** The operator's password of the servers under test. */
export const password = "a long enough password";

/** A server with the console, for the tests of a file. */
export function useConsole(env: Record<string, string> = {}): { readonly server: Server } {
  let server: Server | undefined;
  test.beforeAll(async () => {
    server = await startServer("start", {
      VISAVIS_PASSWORD: password,
      VISAVIS_LOGINS_PER_MINUTE: "600",
      ...env,
    });
  });
  test.afterAll(() => server?.stop());
  return {
    get server() {
      if (server === undefined) throw new Error("The server runs only during the tests.");
      return server;
    },
  };
}

/** Opens a page of the console for somebody who is not signed in. */
export async function openConsole(page: Page, { origin }: Server, path = ""): Promise<void> {
  await page.goto(`${origin}/console/${path && `#${path}`}`);
}

/** Opens a page of the console, signed in as the first owner. */
export async function signIn(page: Page, server: Server, path = ""): Promise<void> {
  await openConsole(page, server, path);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
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

const violationsOf = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page })
    // The widget in the editor's preview has tests of its own.
    .exclude("iframe")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
  );
};

/** Fails when axe finds a problem in light or dark colours. */
export async function expectAccessible(page: Page): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await expect.poll(() => violationsOf(page), colorScheme).toEqual([]);
  }
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
