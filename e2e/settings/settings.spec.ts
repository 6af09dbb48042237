/** A visitor's settings: reached by keyboard, effective at once, and remembered. */
import { expect, test, type Page } from "../support/test.ts";
import { useSite } from "../support/served-site.ts";
import { channelData, recordChannel } from "../support/page-records.ts";
import { isSilent, says, startScriptedModel, type ScriptedModel } from "../support/scripted-model.ts";
import { changeContext } from "../support/service-api.ts";
import { leaveSilently } from "../support/slow-machine.ts";
import { ask, openAvatar, say, untilActivity, untilSpoken } from "../support/talk.ts";
import { avatar, untilState } from "../support/widget.ts";

const served = useSite();
let model: ScriptedModel;

test.beforeAll(async () => {
  // A busy machine may take long to look at what thinks.
  model = await startScriptedModel(served, { first_byte_sec: 300 });
});
test.afterAll(() => model.close());
test.beforeEach(async ({ page }) => {
  model.answer = says("Yes.");
  await leaveSilently(page);
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

const sentence = "The Alder chair is only sixty eight centimetres wide.";

test("sound, captions and their size change at once, by keyboard alone, and hold after a reload", async ({
  page,
}) => {
  await openAvatar(page, served.site.origin);
  await openSettings(page);
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
  // After an answer its last words stay.
  await ask(page, "Does it fit?");
  await expect(avatar(page).locator(".vv-caption").first()).toHaveCSS("font-size", "22px");

  // The conversation goes on by itself.
  await page.reload();
  await untilState(page, "live");
  await expect.poll(() => volume(page)).toBe(0);
  await expect(avatar(page).locator(".vv")).toHaveAttribute("data-captions", "large");
});

test("captions off and text only, chosen by keyboard, hold after a reload", async ({ page }) => {
  await openAvatar(page, served.site.origin);
  await untilSpoken(page);
  await openSettings(page);
  const captions = settings(page).getByRole("switch", { name: "Captions" });
  await expect(captions).toBeChecked();
  await captions.focus();
  await page.keyboard.press("Space");
  await expect(captions).not.toBeChecked();
  await page.keyboard.press("Escape");
  await say(page, sentence);
  await untilActivity(page, "speaking");
  const caption = avatar(page).locator(".vv-caption", { hasText: "Alder" });
  await expect(caption).toHaveCount(0);
  await untilActivity(page, "idle");

  await openSettings(page);
  await settings(page).getByRole("radio", { name: "Avatar" }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(settings(page).getByRole("radio", { name: "Text only" })).toBeChecked();
  await expect(settings(page).getByRole("switch", { name: "Sound" })).toHaveCount(0);
  await page.keyboard.press("Escape");
  const written = avatar(page).locator("[data-mode=text][data-plain]");
  await expect(written).toBeVisible();
  await expect.poll(() => volume(page)).toBe(0);

  await page.reload();
  await untilState(page, "live");
  await expect(written).toBeVisible();
  await expect.poll(() => volume(page)).toBe(0);
  await openSettings(page);
  await settings(page).getByRole("radio", { name: "Text only" }).focus();
  await page.keyboard.press("ArrowLeft");
  await expect(captions).not.toBeChecked();
  await expect.poll(() => volume(page)).toBe(1);
});

test("another language is spoken at once, written in its own direction", async ({ page }) => {
  await openAvatar(page, served.site.origin);
  await openSettings(page);
  const language = settings(page).getByRole("combobox").first();
  await language.selectOption("ar");
  await expect(settings(page).getByRole("heading")).toHaveText("الإعدادات");
  await expect(avatar(page).locator(".vv")).toHaveCSS("direction", "rtl");
  await language.selectOption("ko");
  await expect(settings(page).getByRole("heading")).toHaveText("설정");
  await expect(avatar(page).locator(".vv")).toHaveCSS("direction", "ltr");
  await expect(settings(page)).toHaveCSS("word-break", "keep-all");
});

/** How long the avatar has taken for each saying of the sentence, in ms. */
const durations = async (page: Page): Promise<number[]> =>
  (await channelData(page, "received", "stf"))
    .filter(({ message }) => message === sentence)
    .map(({ duration }) => Number(duration));

test("the voice speaks as fast as the visitor chooses, by keyboard, from the next sentence on and after a reload", async ({
  page,
}) => {
  await recordChannel(page);
  await openAvatar(page, served.site.origin);
  await untilSpoken(page);
  await say(page, sentence);
  await expect.poll(() => durations(page)).toHaveLength(1);
  await openSettings(page);
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

  await page.reload();
  await untilState(page, "live");
  await openSettings(page);
  await expect(speed).toHaveValue("1.5");
  await say(page, sentence);
  await expect.poll(() => durations(page)).toHaveLength(1);
  expect((await durations(page))[0]! / fast!).toBeCloseTo(1, 1);
});

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

test.describe("with motion", () => {
  test.use({ contextOptions: { reducedMotion: "no-preference" } });

  test("reduced motion, chosen by keyboard, keeps panel and avatar still, also after a reload", async ({
    page,
  }) => {
    await recordChannel(page);
    await openAvatar(page, served.site.origin);
    await untilSpoken(page);
    model.answer = isSilent;
    await ask(page, "Does it fit?");
    await untilActivity(page, "thinking");
    await expect.poll(() => motions(page)).not.toEqual([]);
    expect(await channelData(page, "sent", "motion")).toEqual([]);

    await openSettings(page);
    await settings(page).getByRole("switch", { name: "Reduce motion" }).focus();
    await page.keyboard.press("Space");
    await expect(settings(page).getByRole("switch", { name: "Reduce motion" })).toBeChecked();
    await expect.poll(() => channelData(page, "sent", "motion")).toEqual([{ reduced: true }]);
    await page.keyboard.press("Escape");
    await ask(page, "Does it fit in a small room?");
    await untilActivity(page, "thinking");
    await expect.poll(() => motions(page)).toEqual([]);

    await page.reload();
    await untilState(page, "live");
    await expect.poll(() => channelData(page, "sent", "motion")).toEqual([{ reduced: true }]);
    await expect(avatar(page).locator(".vv")).toHaveAttribute("data-still");
  });
});

test("the settings lead to the owner's privacy page, and can end the conversation", async ({ page }) => {
  await changeContext(served, (context) => {
    context.embed_config["ui"] = { privacy_url: "https://shop.example/privacy", languages: ["en", "ko"] };
  });
  await openAvatar(page, served.site.origin);
  await openSettings(page);
  const privacy = settings(page).getByRole("link", { name: "Privacy" });
  await expect(privacy).toHaveAttribute("href", "https://shop.example/privacy");
  await expect(settings(page).getByRole("combobox").first().getByRole("option")).toHaveText([
    "English",
    "한국어",
  ]);
  await settings(page).getByRole("button", { name: "End the conversation" }).focus();
  await page.keyboard.press("Enter");
  await untilState(page, "ended");
});
