import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test, type Page } from "./support/test.ts";
import { build, preview, type PreviewServer } from "vite";
import { galleryLooks, galleryStates, pageLooks } from "../test/widget/gallery/states.ts";
import { violations } from "./support/axe.ts";
import { smallTargets } from "./support/small-targets.ts";
import { textsCutOff } from "./support/texts-cut-off.ts";

/**
 * Each state of the gallery, in each look: it is shown, and nothing is too small or cut off. Axe looks at each state once, and again at
 * its contrast in other colours. Nothing is compared pixel by pixel: other machines have other fonts. `-g "gallery: speaking"` tests one
 * state, and `npm run gallery` shows them.
 */
let folder: string;
let site: PreviewServer;
let origin: string;
/** One for all states of a worker: a page of its own for each would start a process and compile the script again. */
let page: Page;
const faults: string[] = [];

test.beforeAll(async ({ browser }) => {
  mkdirSync("test-results", { recursive: true });
  folder = mkdtempSync("test-results/gallery-");
  const root = process.cwd();
  // Without the project's own configuration, which would build its pages too.
  await build({
    root,
    configFile: false,
    logLevel: "error",
    build: {
      outDir: folder,
      target: "es2022",
      assetsInlineLimit: 0,
      // One script for all views: the page is loaded hundreds of times.
      rolldownOptions: {
        input: join(root, "test/widget/gallery/state.html"),
        output: { codeSplitting: false },
      },
    },
  });
  site = await preview({
    root,
    configFile: false,
    logLevel: "error",
    build: { outDir: folder },
    preview: { host: "127.0.0.1", port: 0, headers: { "cache-control": "max-age=3600" } },
  });
  origin = site.resolvedUrls?.local[0] ?? "";
  page = await browser.newPage();
  await page.goto(`${origin}test/widget/gallery/state.html`);
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") faults.push(message.text());
  });
});

test.afterAll(async () => {
  await page.close();
  await site.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Looks that differ by their colours alone from the one before: only their contrast can be wrong. */
const recoloured = ["dark", "forced colours"];

/** Views may scroll there, so axe's rules for scrolled regions do not fit. */
const largeText = "text at 200 %";

test.describe.configure({ mode: "parallel" });

test.afterEach(async () => {
  const info = test.info();
  if (info.status === info.expectedStatus) return;
  const path = info.outputPath("state.png");
  await page.screenshot({ path });
  await info.attach("screenshot", { path, contentType: "image/png" });
});

/** Only the browser itself can show forced colours correctly. */
async function emulate(look: string, moves: boolean): Promise<void> {
  const { width, height, query } = pageLooks[look]!;
  await page.setViewportSize({ width, height });
  await page.emulateMedia({
    colorScheme: query["theme"] === "dark" ? "dark" : "light",
    forcedColors: "forced" in query ? "active" : "none",
    reducedMotion: moves ? "no-preference" : "reduce",
  });
}

async function show(state: string, look: string): Promise<void> {
  const { forced: _, ...query } = pageLooks[look]!.query;
  await page.evaluate((wanted) => window.showState(wanted), { state, ...query });
}

async function recolour(look: string): Promise<void> {
  await page.evaluate(async (theme) => {
    document.body.classList.toggle("dark", theme === "dark");
    const element = document.querySelector("visavis-avatar");
    element?.setAttribute("theme", theme);
    await element?.updateComplete;
  }, galleryLooks[look]!.query["theme"]!);
}

for (const [state, { closed, attributes, stopAfterMs }] of Object.entries(galleryStates))
  test(`gallery: ${state}`, async () => {
    faults.length = 0;
    const moves = stopAfterMs !== undefined;
    for (const look of Object.keys(galleryLooks)) {
      const hasSameElements = recoloured.includes(look) && !moves;
      await emulate(look, moves);
      if (hasSameElements) await recolour(look);
      else await show(state, look);
      const part = closed ? "launcher-button" : "panel";
      await expect(page.locator(`visavis-avatar [part=${part}]`)).toBeVisible();
      if (!closed && !attributes?.["variant"]) await expect(page.getByRole("dialog")).toBeVisible();
      const include = "visavis-avatar";
      // A text that is fading in does not have its full contrast yet.
      if (look === "light")
        await expect
          .poll(() => violations(page, { include, ...(moves && { without: ["color-contrast"] }) }), look)
          .toEqual([]);
      else if (hasSameElements)
        await expect.poll(() => violations(page, { include, only: ["color-contrast"] }), look).toEqual([]);
      await expect.poll(() => smallTargets(page), look).toEqual([]);
    }
    await emulate(largeText, moves);
    await show(state, largeText);
    await expect.poll(() => textsCutOff(page), largeText).toEqual([]);
    expect(faults).toEqual([]);
  });
