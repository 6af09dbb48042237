import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { startServer, type Server } from "../support/stack.ts";
import { panelText, seenErrors } from "../support/talk.ts";
import {
  avatar,
  changeContext,
  clickLauncher,
  recordEvents,
  snippet,
  untilState,
} from "../support/widget.ts";

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  site = await startHostSite(
    { "/": hostPage(snippet(server.origin)), "/unknown": hostPage(snippet(server.origin, "ctx_nobody")) },
    { relayOrigin: server.origin },
  );
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

const tryAgain = (page: Page) => page.locator("visavis-avatar").getByRole("button", { name: "Try again" });

test("an inactive context says so, and trying again works once it is active", async ({ page }) => {
  await recordEvents(page);
  await page.goto(site.origin);
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  await changeContext(server, "ctx_demo", (context) => (context["is_active"] = false));
  await page.waitForTimeout(2_500); // longer than the relay remembers a context
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await seenErrors(page)).toContain("context_inactive");
  await expect.poll(() => panelText(page)).toContain("context_inactive");
  await changeContext(server, "ctx_demo", (context) => (context["is_active"] = true));
  await page.waitForTimeout(2_500);
  await tryAgain(page).click();
  await untilState(page, "live");
});

test("a question beyond a limit stays, with plain words, and the conversation goes on", async ({ page }) => {
  const limited = await startServer("start", { VISAVIS_SESSION_TURNS_PER_MINUTE: "1" });
  const shop = await startHostSite(
    { "/": hostPage(snippet(limited.origin)) },
    { relayOrigin: limited.origin },
  );
  try {
    await recordEvents(page);
    await page.goto(shop.origin);
    await clickLauncher(page);
    await untilState(page, "live");
    const ask = (text: string) =>
      avatar(page).evaluate(
        (element, question) =>
          (element as HTMLElement & { send(text: string): Promise<void> }).send(question),
        text,
      );
    await ask("How much is the Birch chair?");
    await ask("And how much is the Alder chair?");
    expect(await seenErrors(page)).toEqual(["rate_limited"]);
    await expect.poll(() => panelText(page)).toContain("And how much is the Alder chair?");
    expect(await panelText(page)).toContain("That was a lot at once. Please ask again in a minute.");
    await untilState(page, "live");
  } finally {
    await shop.close();
    await limited.stop();
  }
});

test("an unknown context says so", async ({ page }) => {
  await recordEvents(page);
  await page.goto(`${site.origin}/unknown`);
  await page.waitForFunction(() => document.querySelector("visavis-avatar"));
  await avatar(page)
    .evaluate((element) => (element as unknown as { start(): Promise<void> }).start())
    .catch(() => undefined);
  await expect.poll(() => seenErrors(page)).toContain("context_not_found");
});

test("a forbidden origin says so", async ({ page }) => {
  await changeContext(server, "ctx_demo", (context) => {
    context.embed_config["allowed_origins"] = ["https://shop.example"];
  });
  await page.waitForTimeout(2_500);
  await recordEvents(page);
  await page.goto(site.origin);
  await page.waitForFunction(() => document.querySelector("visavis-avatar"));
  await avatar(page)
    .evaluate((element) => (element as unknown as { start(): Promise<void> }).start())
    .catch(() => undefined);
  await expect.poll(() => seenErrors(page)).toContain("origin_not_allowed");
  await expect.poll(() => panelText(page)).toContain("origin_not_allowed");
  await changeContext(server, "ctx_demo", (context) => {
    context.embed_config["allowed_origins"] = ["http://127.0.0.1:*"];
  });
});
