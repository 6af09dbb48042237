import { expect, test } from "@playwright/test";
import config from "./playwright.config.ts";
import { hostPage, startHostSite, type HostSite } from "./support/host-page.ts";
import { startServer, type Server } from "./support/stack.ts";
import {
  avatar,
  clickLauncher,
  recordConnections,
  recordEvents,
  seenEvents,
  snippet,
  untilAudible,
  untilFirstFrame,
  untilState,
} from "./support/widget.ts";

// Headless browsers allow sound without a gesture unless told otherwise.
test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    args: [...(config.use?.launchOptions?.args ?? []), "--autoplay-policy=document-user-activation-required"],
  },
});

let server: Server;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  site = await startHostSite(
    {
      "/": hostPage(snippet(server.origin)),
      // The page's own script starts the conversation: there was no gesture that would allow sound.
      "/by-itself": hostPage(`${snippet(server.origin)}<script src="/start.js" defer></script>`),
    },
    {
      relayOrigin: server.origin,
      scripts: {
        "/start.js": `const found = setInterval(() => {
          const element = document.querySelector("visavis-avatar");
          if (!element?.start) return;
          clearInterval(found);
          element.start();
        }, 20);`,
      },
    },
  );
});

test.afterAll(async () => {
  await site.close();
  await server.stop();
});

test("where the browser allows no sound, the picture plays with captions, and a tap brings the sound", async ({
  page,
}) => {
  await recordConnections(page);
  await recordEvents(page);
  const started = page.waitForResponse((response) => response.url().endsWith("/event"));
  await page.goto(`${site.origin}/by-itself`);
  // Looking into the page counts as a gesture: not before the session has reported its start.
  await started;
  await page.waitForTimeout(500);
  const tap = page.locator("visavis-avatar").getByRole("button", { name: /Tap to hear/ });
  await tap.waitFor();
  const isMuted = () => avatar(page).evaluate((element) => element.shadowRoot!.querySelector("video")!.muted);
  expect(await isMuted()).toBe(true);
  // What cannot be heard is read: the picture plays, and the words of the greeting are captioned.
  const isPlaying = () =>
    avatar(page).evaluate((element) => !element.shadowRoot!.querySelector("video")!.paused);
  expect(await isPlaying()).toBe(true);
  await expect
    .poll(async () => (await seenEvents(page)).filter(({ type }) => type === "visavis-caption").length)
    .toBeGreaterThan(0);
  await tap.click();
  await expect.poll(isMuted).toBe(false);
  await expect(tap).not.toBeVisible();
});

test("a text that cannot be spoken is shown, and the next one is spoken", async ({ page }) => {
  await recordConnections(page);
  await recordEvents(page);
  await page.goto(site.origin);
  await clickLauncher(page);
  await untilState(page, "live");
  await untilFirstFrame(page);
  const say = (text: string) =>
    avatar(page).evaluate(
      (element, words) => (element as unknown as { say(text: string): void }).say(words),
      text,
    );
  await say("안녕하세요, 무엇을 도와드릴까요?");
  await expect
    .poll(async () =>
      JSON.stringify((await seenEvents(page)).filter(({ type }) => type === "visavis-message")),
    )
    .toMatch(/안녕하세요, 무엇을 도와드릴까요\?","status":"final"/);
  const heard = untilAudible(page);
  await say("This can be spoken.");
  await heard;
  expect(await avatar(page).evaluate((element) => (element as unknown as { state: string }).state)).toBe(
    "live",
  );
});
