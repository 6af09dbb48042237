import { expect, test, type Page } from "./support/test.ts";
import config from "./playwright.config.ts";
import { hostPage } from "./support/host-page.ts";
import { captionedWords, recordEvents } from "./support/page-records.ts";
import { useSite } from "./support/served-site.ts";
import { avatar, snippet } from "./support/widget.ts";

// Headless browsers allow sound without a gesture unless told otherwise.
test.use({
  launchOptions: {
    ...config.use?.launchOptions,
    args: [...(config.use?.launchOptions?.args ?? []), "--autoplay-policy=document-user-activation-required"],
  },
});

const served = useSite({
  pages: (relayOrigin, context) => ({
    // The page's own script starts the conversation, so there was no gesture that would allow sound.
    "/": hostPage(`${snippet(relayOrigin, context)}<script src="/start.js" defer></script>`),
  }),
  scripts: {
    "/start.js": `const found = setInterval(() => {
      const element = document.querySelector("visavis-avatar");
      if (!element?.start) return;
      clearInterval(found);
      element.start();
    }, 20);`,
  },
});

/** Whether the video is muted. Read in a way that does not count as a visitor's gesture, as `page.evaluate` would. */
async function mutedWithoutGesture(page: Page): Promise<boolean> {
  const devtools = await page.context().newCDPSession(page);
  try {
    const { result } = await devtools.send("Runtime.evaluate", {
      expression:
        'document.querySelector("visavis-avatar")?.shadowRoot?.querySelector("video")?.muted === true',
      userGesture: false,
    });
    return result.value === true;
  } finally {
    await devtools.detach();
  }
}

test("when the browser blocks sound, the picture plays with captions, and a tap switches the sound on", async ({
  page,
}) => {
  await recordEvents(page);
  await page.goto(served.site.origin);
  await expect.poll(() => mutedWithoutGesture(page)).toBe(true);
  const tap = page.locator("visavis-avatar").getByRole("button", { name: /Tap to hear/ });
  await tap.waitFor();
  const isMuted = () => avatar(page).evaluate((element) => element.shadowRoot!.querySelector("video")!.muted);
  expect(await isMuted()).toBe(true);
  // The picture plays, and captions show the words of the greeting.
  const isPlaying = () =>
    avatar(page).evaluate((element) => !element.shadowRoot!.querySelector("video")!.paused);
  await expect.poll(isPlaying).toBe(true);
  await expect.poll(async () => (await captionedWords(page)).length).toBeGreaterThan(0);
  await tap.click();
  await expect.poll(isMuted).toBe(false);
  await expect(tap).not.toBeVisible();
});
