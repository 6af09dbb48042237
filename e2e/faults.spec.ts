import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { canaryKey, freePort, startServer, type Server } from "./support/stack.ts";
import {
  avatar,
  changeContext,
  clickLauncher,
  recordConnections,
  recordEvents,
  seenEvents,
  sessionId,
  snippet,
  untilAudible,
  untilFirstFrame,
  untilState,
} from "./support/widget.ts";

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

const panelText = (page: Page): Promise<string> =>
  avatar(page).evaluate((element) => {
    const texts: string[] = [];
    const visit = (node: Node): void => {
      if (node instanceof HTMLStyleElement) return;
      if (node.nodeType === Node.TEXT_NODE) texts.push(node.textContent ?? "");
      if (node instanceof HTMLElement && node.shadowRoot) visit(node.shadowRoot);
      node.childNodes.forEach(visit);
    };
    visit(element.shadowRoot!);
    return texts.join(" ").replace(/\s+/g, " ");
  });

const errorCodes = async (page: Page): Promise<unknown[]> =>
  (await seenEvents(page))
    .filter((event) => event.type === "visavis-error")
    .map((event) => event.detail["code"]);

const tryAgain = (page: Page) => page.locator("visavis-avatar").getByRole("button", { name: "Try again" });

test("an inactive context says so, and trying again works once it is active", async ({ page }) => {
  await recordEvents(page);
  await page.goto(site.origin);
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  await changeContext(server, "ctx_demo", (context) => (context["is_active"] = false));
  await page.waitForTimeout(2_500); // longer than the relay remembers a context
  await clickLauncher(page);
  await untilState(page, "error");
  expect(await errorCodes(page)).toContain("context_inactive");
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
    expect(await errorCodes(page)).toEqual(["rate_limited"]);
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
  await expect.poll(() => errorCodes(page)).toContain("context_not_found");
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
  await expect.poll(() => errorCodes(page)).toContain("origin_not_allowed");
  await expect.poll(() => panelText(page)).toContain("origin_not_allowed");
  await changeContext(server, "ctx_demo", (context) => {
    context.embed_config["allowed_origins"] = ["http://127.0.0.1:*"];
  });
});

test("a dead service says so, and trying again works when it is back", async ({ page }) => {
  const folder = mkdtempSync(join(tmpdir(), "visavis-remote-"));
  const shared = { PORT: String(await freePort()), VISAVIS_DATA: folder };
  const stops: (() => void | Promise<void>)[] = [() => rmSync(folder, { recursive: true, force: true })];
  try {
    const service = await startServer("service", shared);
    stops.unshift(() => service.kill());
    const relay = await startServer("relay", {
      SERVICE_BASE_URL: service.origin,
      SERVICE_API_KEY: canaryKey,
    });
    stops.unshift(() => relay.stop());
    const remote = await startHostSite(
      { "/": hostPage(snippet(relay.origin)) },
      { relayOrigin: relay.origin },
    );
    stops.unshift(() => remote.close());
    await recordEvents(page);
    await page.goto(remote.origin);
    await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
    service.kill();
    await page.waitForTimeout(2_500);
    await clickLauncher(page);
    await untilState(page, "error");
    expect(await errorCodes(page)).toContain("engine_failed");
    await expect.poll(() => panelText(page)).toContain("engine_failed");
    const revived = await startServer("service", shared);
    stops.unshift(() => revived.stop());
    await tryAgain(page).click();
    await untilState(page, "live");
    await untilFirstFrame(page);
  } finally {
    for (const stop of stops) await stop();
  }
});

test("a media process killed in mid-sentence is replaced, and the same session goes on", async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const before = await sessionId(page);
  await avatar(page).evaluate((element) =>
    (element as unknown as { send(text: string): Promise<void> }).send("Tell me about delivery."),
  );
  await untilAudible(page);
  const victims = server.mediaPids();
  expect(victims.length).toBeGreaterThan(0);
  for (const victim of victims) process.kill(victim, "SIGKILL");
  await untilState(page, "reconnecting");
  await expect.poll(() => panelText(page)).toContain("Reconnecting");
  await untilState(page, "live");
  expect(await sessionId(page)).toBe(before);
  const audible = untilAudible(page);
  await avatar(page).evaluate((element) =>
    (element as unknown as { send(text: string): Promise<void> }).send("How much is the Rowan table?"),
  );
  await audible;
});
