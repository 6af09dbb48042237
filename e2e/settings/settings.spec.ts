/** A visitor's settings: reached by keyboard, effective at once, and remembered. */
import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { channelData, recordChannel } from "../support/page-records.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { ask, openAvatar, say, untilActivity } from "../support/talk.ts";
import { avatar, untilState } from "../support/widget.ts";

const served = useSite({
  change: (context) => {
    context["greeting"] = "Hello.";
    context.embed_config["ui"] = { privacy_url: "https://shop.example/privacy" };
  },
});

const settings = (page: Page) => avatar(page).locator(".vv-set");

/** By keyboard: More, then Settings, which is the main action there. */
async function openSettings(page: Page): Promise<void> {
  await avatar(page).getByRole("button", { name: "More" }).focus();
  await page.keyboard.press("Enter");
  await expect(avatar(page).getByRole("button", { name: "Settings" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(settings(page).getByRole("combobox").first()).toBeFocused();
}

const volume = (page: Page) =>
  avatar(page).evaluate((element) => element.shadowRoot?.querySelector("video")?.volume);

const sentence = "The Alder chair fits.";
/** How long the avatar has taken for each saying of the sentence, in ms. */
const durations = async (page: Page): Promise<number[]> =>
  (await channelData(page, "received", "stf"))
    .filter(({ message }) => message === sentence)
    .map(({ duration }) => Number(duration));

/** What moves in the widget at the moment, by the names of its animations. */
const motions = (page: Page): Promise<string[]> =>
  avatar(page).evaluate((element) =>
    (element.shadowRoot?.getAnimations() ?? [])
      .filter(({ playState, effect }) => {
        const { duration = 0, iterations = 1 } = effect?.getTiming() ?? {};
        return playState === "running" && (Number(duration) > 1 || iterations > 1);
      })
      .map((animation) => (animation instanceof CSSAnimation ? animation.animationName : "another motion")),
  );

test("sound, voice speed, caption size, motion and language change at once, by keyboard alone, and hold after a reload", async ({
  page,
}) => {
  await page.emulateMedia({ reducedMotion: "no-preference" });
  await recordChannel(page);
  await leaveSilently(page);
  await openAvatar(page, served.site.origin);
  await say(page, sentence);
  await expect.poll(() => durations(page)).toHaveLength(1);
  await openSettings(page);
  await expect(settings(page).getByRole("link", { name: "Privacy" })).toHaveAttribute(
    "href",
    "https://shop.example/privacy",
  );

  const speed = settings(page).getByRole("combobox", { name: "Voice speed" });
  await expect(speed).toHaveValue("1");
  await speed.focus();
  await page.keyboard.press("End");
  await expect(speed).toHaveValue("1.5");
  await untilActivity(page, "idle");
  await say(page, sentence);
  await expect.poll(() => durations(page)).toHaveLength(2);
  const [usual, fast] = await durations(page);
  expect(usual! / fast!).toBeGreaterThan(1.3);
  expect(usual! / fast!).toBeLessThan(1.7);

  await settings(page).getByRole("switch", { name: "Sound" }).focus();
  await page.keyboard.press("Space");
  await expect.poll(() => volume(page)).toBe(0);
  await settings(page).getByRole("radio", { name: "medium" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(settings(page).getByRole("radio", { name: "large" })).toBeFocused();
  await expect(settings(page).getByRole("radio", { name: "large" })).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(settings(page)).toHaveCount(0);
  await expect(avatar(page).getByRole("button", { name: "More" })).toBeFocused();

  // An answer that never comes, so that the avatar thinks.
  await page.route("**/llm", () => undefined);
  await ask(page, "Does it fit?");
  await expect.poll(() => motions(page)).not.toEqual([]);
  expect(await channelData(page, "sent", "motion")).toEqual([]);
  await openSettings(page);
  await settings(page).getByRole("switch", { name: "Reduce motion" }).focus();
  await page.keyboard.press("Space");
  await expect.poll(() => channelData(page, "sent", "motion")).toEqual([{ reduced: true }]);
  await page.keyboard.press("Escape");
  await expect.poll(() => motions(page)).toEqual([]);

  // The conversation goes on by itself.
  await page.reload();
  await untilState(page, "live");
  await expect.poll(() => volume(page)).toBe(0);
  const panel = avatar(page).locator(".vv");
  await expect(panel).toHaveAttribute("data-captions", "large");
  await expect(panel).toHaveAttribute("data-still");
  await say(page, sentence);
  await expect(avatar(page).locator(".vv-caption").first()).toHaveCSS("font-size", "22px");
  await openSettings(page);
  const language = settings(page).getByRole("combobox").first();
  await language.selectOption("ar");
  await expect(avatar(page).locator(".vv")).toHaveCSS("direction", "rtl");
  await language.selectOption("en");
  await expect(avatar(page).locator(".vv")).toHaveCSS("direction", "ltr");
  await settings(page).getByRole("button", { name: "End the conversation" }).click();
  await untilState(page, "ended");
});
