import { expect, test, type Page } from "@playwright/test";
import { galleryStates, pageLooks } from "../test/widget/gallery/states.ts";
import { violations } from "./support/axe.ts";
import { openGallery, showState } from "./support/gallery-page.ts";

/**
 * Each state of the gallery: in each look it is shown, and nothing is too small, cut off or covered. Axe looks at each state once, and at
 * the contrast of those that have all colours in the other colours. Nothing is compared pixel by pixel: other machines have other fonts.
 * `npm run gallery` shows the states.
 */
const states = Object.keys(galleryStates);

/** Looks that differ by their colours alone: only their contrast can be wrong. */
const recoloured = ["dark", "forced colours"];
/** The others, those of one size beside each other: a window is not resized in no time. */
const shapes = Object.keys(pageLooks)
  .filter((look) => !recoloured.includes(look))
  .sort((a, b) => pageLooks[b]!.width - pageLooks[a]!.width);

/** States that have each pair of colours between them. */
const colourful = [
  "launcher with unread answers",
  "consent",
  "suggestions",
  "speaking",
  "tap to hear",
  "question without an answer",
  "still there",
  "reconnecting",
  "transcript of an answer under way",
  "transcript of formatted answers",
  "transcript with files for a question",
  "transcript with a card",
  "transcript with a form",
  "menu with a person",
  "settings with devices",
  "hands-free, hearing",
  "microphone denied",
  "rating that asks why",
  "own colour, radius and font",
  "compact",
  "full screen, reconnecting",
  "ended with a rating",
  "error connection_failed",
];

/** One state after the other in one page: a page of its own for each would compile the script again. */
const statesOfTest = 16;

const include = "visavis-avatar";

async function resize(page: Page, look: string): Promise<void> {
  const { width, height } = pageLooks[look]!;
  const size = page.viewportSize();
  if (size?.width !== width || size.height !== height) await page.setViewportSize({ width, height });
}

async function recolour(page: Page, look: string): Promise<void> {
  const { query } = pageLooks[look]!;
  await page.emulateMedia({
    colorScheme: query["theme"] === "dark" ? "dark" : "light",
    // Only the browser itself can show forced colours correctly.
    forcedColors: "forced" in query ? "active" : "none",
  });
}

const queryOf = (look: string): Readonly<Record<string, string>> => {
  const { forced: _, ...query } = pageLooks[look]!.query;
  return query;
};

/** Opens the page. Gives the list of errors in its scripts. */
async function openForErrors(page: Page): Promise<string[]> {
  const errors: string[] = [];
  page.on("pageerror", ({ message }) => errors.push(message));
  page.on("console", (line) => line.type() === "error" && errors.push(line.text()));
  await openGallery(page);
  return errors;
}

for (let first = 0; first < states.length; first += statesOfTest) {
  const shown = states.slice(first, first + statesOfTest);
  test(`gallery: ${shown[0]} … ${shown.at(-1)}`, async ({ page }) => {
    const errors = await openForErrors(page);
    for (const state of shown) {
      const moves = galleryStates[state]!.stopAfterMs !== undefined;
      if (moves) await page.emulateMedia({ reducedMotion: "no-preference" });
      for (const look of shapes) {
        await resize(page, look);
        if (look === shapes[0] || moves) await showState(page, state, queryOf(look));
        else await page.evaluate((query) => window.changeLook(query), queryOf(look));
        await expect.poll(() => page.evaluate(() => window.stateFaults()), `${state}, ${look}`).toEqual([]);
        if (look !== shapes[0]) continue;
        await expect
          .poll(() => violations(page, { include, without: ["color-contrast"] }), state)
          .toEqual([]);
      }
      if (moves) await page.emulateMedia({ reducedMotion: "reduce" });
    }
    expect(errors).toEqual([]);
  });
}

for (const look of ["light", ...recoloured])
  test(`gallery: contrast, ${look}`, async ({ page }) => {
    await openForErrors(page);
    await resize(page, look);
    await recolour(page, look);
    for (const state of colourful) {
      await showState(page, state, queryOf(look));
      // A text that fades in does not have its full contrast yet.
      await expect.poll(() => violations(page, { include, only: ["color-contrast"] }), state).toEqual([]);
    }
  });
