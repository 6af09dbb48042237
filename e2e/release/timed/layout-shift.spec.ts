/** Nothing on the page or in the widget jumps: the sum of the layout shifts (CLS) rounds to 0.0 in every state. */
import { expect, test, type Page } from "../../support/test.ts";
import { hostPage } from "../../support/host-page.ts";
import { recordShifts, seenShifts } from "../../support/layout-shifts.ts";
import { says, startScriptedModel, type ScriptedModel } from "../../support/scripted-model.ts";
import { useSite } from "../../support/served-site.ts";
import { ask, untilActivity, untilSpoken } from "../../support/talk.ts";
import {
  avatar,
  clickLauncher,
  endSession,
  launcher,
  snippet,
  untilAnimationsEnd,
  untilFirstFrame,
  untilState,
  type AvatarElement,
  withPicture,
} from "../../support/widget.ts";

/** A page that keeps room for the avatar, as documented for an inline frame. */
function variantPage(relayOrigin: string, context: string, variant: string): string {
  const attributes = `data-variant="${variant}" data-target="#here"`;
  const room = '<table width="400" height="580"><tr><td id="here"></td></tr></table>';
  return hostPage(`${room}<p>Below</p>${snippet(relayOrigin, context, `${attributes} ${withPicture}`)}`);
}

const served = useSite({
  change: (context) => {
    // Where visitors can speak, the way back from the transcript is the microphone's button, which begins to talk.
    context.embed_config["ui"] = { ...(context.embed_config["ui"] as object), voice_mode: "off" };
    context["greeting"] = "Good morning to you.";
  },
  pages: (relayOrigin, context) => ({
    "/bubble": hostPage(`<p>Above</p>${snippet(relayOrigin, context, withPicture)}<p>Below</p>`),
    "/inline": variantPage(relayOrigin, context, "inline"),
    "/wide": hostPage(snippet(relayOrigin, context, `data-variant="inline" ${withPicture}`)),
    "/fullscreen": hostPage(snippet(relayOrigin, context, `data-variant="fullscreen" ${withPicture}`)),
  }),
});

let model: ScriptedModel;

test.beforeAll(async () => {
  model = await startScriptedModel(served);
  // As long as is needed for several lines, and no longer: all of it is spoken.
  model.answer = says("The Alder ", "reading chair ", "costs 480 euros ", "with its stool.");
});

test.afterAll(() => model.close());

const button = (page: Page, name: RegExp | string) => avatar(page).getByRole("button", { name }).first();

/** Chromium counts this much where the picture gets another shape, though nothing jumps. A page feels steady below 0.1. */
const uncertainty = 0.001;
/** Words that say that connecting takes long move aside with the picture when the transcript opens beside it. */
const slowWords = 0.01;
/** Where no part of the panel changes its kind, nothing is uncertain. */
const none = 0.00005;

/** Expects that nothing has jumped until this state is reached and its motions are over. */
async function expectStill(page: Page, state: string, limit = uncertainty): Promise<void> {
  await untilAnimationsEnd(page);
  const shifts = await seenShifts(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const moved = shifts.map(({ value, what }) => `${value.toFixed(4)}: ${what}`);
  expect.soft(sum, [state, ...moved].join("\n")).toBeLessThan(limit);
}

async function openPanel(page: Page, variant: string): Promise<void> {
  await recordShifts(page);
  await page.goto(`${served.site.origin}/${variant}`);
  await launcher(page).waitFor();
  await expectStill(page, "the launcher");
  await launcher(page).hover();
  await page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);
  await expectStill(page, "the launcher that the visitor points at");
  await clickLauncher(page);
}

/** The visitor asks, with the transcript open or closed, and hears the answer. */
async function talk(page: Page, state: string): Promise<void> {
  await ask(page, "How much is the Alder reading chair?");
  await untilSpoken(page);
  await expectStill(page, `an answer, ${state}`);
}

/** The first call opens the transcript where it is closed, and closes it where it is open. */
async function toggleTranscript(page: Page): Promise<void> {
  const text = avatar(page).getByRole("textbox");
  const isOpen = (await text.count()) > 0;
  const toggle = avatar(page).getByRole("button", {
    name: isOpen ? /^(Hide the transcript|Show .*)$/ : /^Write to Mara$/,
  });
  await toggle.first().click();
  await expect(text).toHaveCount(isOpen ? 0 : 1);
  await expectStill(page, isOpen ? "the closed transcript" : "the open transcript");
}

for (const variant of ["bubble", "inline", "wide", "fullscreen"])
  test(`nothing jumps from the launcher to the ended page: ${variant}`, async ({ page }) => {
    await openPanel(page, variant);
    await untilState(page, "live");
    await untilFirstFrame(page);
    await expect(button(page, "End the conversation")).toBeVisible();
    await untilSpoken(page);
    await expectStill(page, "the greeting", variant === "fullscreen" ? slowWords : uncertainty);
    await toggleTranscript(page);
    await talk(page, "with the transcript");
    await toggleTranscript(page);
    await talk(page, "with captions");
    await button(page, "More").click();
    await expectStill(page, "the menu");
    await button(page, "Settings").click();
    await expectStill(page, "the settings");
    await page.keyboard.press("Escape");
    await expect(button(page, "End the conversation")).toBeVisible();
    await expectStill(page, "after the settings");
    await endSession(page);
    await untilState(page, "ended");
    await expect(avatar(page).locator("[part=page]")).toContainText("Thanks");
    await expectStill(page, "the ended page");
  });

/** The visitor asks again while the transcript still glides for the question before. */
async function askInARow(page: Page): Promise<void> {
  await avatar(page).evaluate(async (element: AvatarElement) => {
    for (const text of ["How much is it?", "And in green?", "When could it be here?"]) {
      void element.send(text);
      for (let frame = 0; frame < 4; frame++) await new Promise(requestAnimationFrame);
    }
  });
  await expect(avatar(page).locator(".vv-q")).toHaveCount(4);
  await untilActivity(page, "idle");
}

for (const variant of ["bubble", "wide"])
  test(`nothing jumps while an answer is written, or when questions follow one another at once: ${variant}`, async ({
    page,
  }) => {
    await openPanel(page, variant);
    await untilState(page, "live");
    await untilFirstFrame(page);
    await untilSpoken(page);
    await button(page, "Write to Mara").click();
    await expect(avatar(page).getByRole("textbox")).toHaveCount(1);
    await expectStill(page, "the open transcript");
    await ask(page, "How much is the Alder reading chair?");
    await untilSpoken(page);
    await expectStill(page, "an answer", none);
    await askInARow(page);
    await expectStill(page, "questions that follow one another", none);
  });

for (const variant of ["bubble", "inline"])
  test(`nothing jumps when no session can be created: ${variant}`, async ({ page }) => {
    await page.route("**/sessions", async (route) => {
      // The panel is open by then.
      await untilAnimationsEnd(page);
      await route.fulfill({ status: 503, headers: { "access-control-allow-origin": "*" }, body: "{}" });
    });
    await openPanel(page, variant);
    await untilState(page, "error");
    await expect(avatar(page).getByRole("alert")).toBeVisible();
    await expectStill(page, "the error page");
  });
