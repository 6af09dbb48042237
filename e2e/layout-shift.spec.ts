/** Nothing in the widget jumps by what the session does: the sum of the layout shifts (CLS) rounds to 0.0 in every state. */
import { expect, test, type Page } from "./support/test.ts";
import { openGallery, showState } from "./support/gallery-page.ts";
import { recordShifts, seenShifts } from "./support/layout-shifts.ts";
import { avatar, untilAnimationsEnd, type AvatarElement } from "./support/widget.ts";

/** Chromium counts this much where the picture gets another shape, though nothing jumps. A page feels steady below 0.1. */
const uncertainty = 0.001;

/** Expects that nothing has jumped since the last call, when the motions are over. */
async function expectStill(page: Page, state: string): Promise<void> {
  await untilAnimationsEnd(page);
  const shifts = await seenShifts(page);
  const sum = shifts.reduce((total, { value }) => total + value, 0);
  const moved = shifts.map(({ value, what }) => `${value.toFixed(4)}: ${what}`);
  expect.soft(sum, [state, ...moved].join("\n")).toBeLessThan(uncertainty);
}

/** Presses a button. What moves by that is the visitor's own doing. */
async function press(page: Page, name: RegExp): Promise<void> {
  await avatar(page).locator(".vv-shell").getByRole("button", { name }).first().click();
  await untilAnimationsEnd(page);
  await seenShifts(page);
}

/** A question that the page asks, and its answer, sentence by sentence. Browsers do not count what follows a key or a click. */
async function converse(page: Page, state: string): Promise<void> {
  const said = "The Alder reading chair costs 480 euros with its stool. It is in stock.";
  await page.evaluate(() => {
    window.gallerySession.write("visitor", "How much is the Alder reading chair?");
    window.gallerySession.act("thinking");
  });
  await expectStill(page, `a question, ${state}`);
  await page.evaluate((text) => {
    window.gallerySession.write("avatar", text, "streaming");
    window.gallerySession.act("speaking");
    window.gallerySession.emit("caption", { text, word: "chair", index: 3 });
  }, said);
  await expectStill(page, `an answer, ${state}`);
  await page.evaluate((text) => {
    window.gallerySession.emit("captionend", { text });
    window.gallerySession.act("idle");
  }, said);
  await expectStill(page, `after the answer, ${state}`);
}

for (const variant of ["bubble", "inline"])
  test(`nothing jumps from the connection to the ended page: ${variant}`, async ({ page }) => {
    await recordShifts(page);
    await openGallery(page);
    await showState(page, "launcher", { variant });
    await avatar(page).evaluate((element: AvatarElement) => {
      element.open();
    });
    await untilAnimationsEnd(page);
    await seenShifts(page);
    await page.evaluate(() => {
      window.gallerySession.become("live");
      window.gallerySession.write("avatar", "Good morning to you.");
      window.gallerySession.emit("caption", { text: "Good morning to you.", word: "Good", index: 0 });
    });
    await expectStill(page, "the greeting");
    await converse(page, "as the panel opens");
    await press(page, /^Write to/);
    await converse(page, "after the first button");
    await press(page, /^More$/);
    await page.evaluate(() => {
      window.gallerySession.act("speaking");
    });
    await expectStill(page, "the menu, while it speaks");
    await page.keyboard.press("Escape");
    await untilAnimationsEnd(page);
    await seenShifts(page);
    await page.evaluate(() => {
      window.gallerySession.become("reconnecting");
    });
    await expectStill(page, "reconnecting");
    await page.evaluate(() => {
      window.gallerySession.become("live");
      window.gallerySession.become("ended", "idle");
    });
    await expectStill(page, "the ended page");
  });
