import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { startServer, type Server } from "./support/stack.ts";
import { avatar, clickLauncher, snippet, untilFirstFrame, untilState } from "./support/widget.ts";

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  site = await startHostSite(
    {
      "/": hostPage(snippet(server.origin)),
      "/rtl": hostPage(snippet(server.origin, "ctx_demo", 'data-lang="ar"')).replace(
        '<html lang="en">',
        '<html lang="ar" dir="rtl">',
      ),
    },
    { relayOrigin: server.origin },
  );
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

const faults = async (page: Page): Promise<string[]> => {
  const { violations } = await new AxeBuilder({ page }).include("visavis-avatar").analyze();
  return violations.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html.slice(0, 160)} ${node.failureSummary ?? ""}`),
  );
};

async function conversation(page: Page, path: string): Promise<void> {
  await page.goto(`${site.origin}${path}`);
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  expect(await faults(page), "launcher").toEqual([]);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  await page.waitForTimeout(800);
  expect(await faults(page), "live").toEqual([]);
  await avatar(page).evaluate((element) =>
    (element as unknown as { send(text: string): Promise<void> }).send("Can I send it back?"),
  );
  await page.waitForTimeout(300);
  expect(await faults(page), "answering").toEqual([]);
  await avatar(page).evaluate((element) => (element as unknown as { end(): Promise<void> }).end());
  await untilState(page, "ended");
  await page.waitForTimeout(600);
  expect(await faults(page), "ended").toEqual([]);
}

for (const colorScheme of ["light", "dark"] as const)
  test(`axe finds nothing in a ${colorScheme} conversation`, async ({ page }) => {
    await page.emulateMedia({ colorScheme });
    await conversation(page, "/");
  });

test("axe finds nothing right to left, in forced colours, 320 pixels wide", async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 568 });
  await page.emulateMedia({ forcedColors: "active" });
  await conversation(page, "/rtl");
});

test("everything works by keyboard, and the focus comes back", async ({ page }) => {
  await page.goto(site.origin);
  const button = page.locator("visavis-avatar [part~=launcher-button]");
  await button.waitFor();
  await page.keyboard.press("Tab");
  await expect(button).toBeFocused();
  await page.keyboard.press("Enter");
  await untilState(page, "live");
  await untilFirstFrame(page);
  const focusedRole = await avatar(page).evaluate((element) => element.shadowRoot?.activeElement?.tagName);
  expect(focusedRole, "the focus is inside the panel").toBeTruthy();
  await page.keyboard.press("Escape");
  await page.waitForTimeout(600);
  await expect(button).toBeFocused();
  expect(await avatar(page).evaluate((element) => (element as unknown as { state: string }).state)).toBe(
    "live",
  );
});
