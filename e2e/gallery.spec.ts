import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import AxeBuilder from "@axe-core/playwright";
import { expect, test, type Page } from "@playwright/test";
import { build, preview, type PreviewServer } from "vite";
import { galleryLooks, galleryStates, pageLooks } from "../test/widget/gallery/states.ts";
import { smallTargets } from "./support/small-targets.ts";
import { textsCutOff } from "./support/texts-cut-off.ts";

/**
 * Each state of the gallery, in each look: it is shown, axe finds no problem in it, and a screenshot is attached to the
 * report. Nothing is compared pixel by pixel: other machines have other fonts. `-g "gallery: speaking"` tests one state.
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
  await page.addInitScript(() => {
    if (!location.protocol.startsWith("http")) return;
    localStorage.clear();
    sessionStorage.clear();
  });
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

/** Looks that differ by their colours alone from the one before. The page is not loaded again for them. */
const recoloured = ["dark", "forced colours"];
/** Looks with the same elements as another one. Only their contrast can differ from it. */
const contrastOnly = [...recoloured, "phone 390"];

/** Views may scroll there, so axe's rules for scrolled regions do not fit. */
const largeText = "text at 200 %";

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

async function load(state: string, look: string): Promise<void> {
  const { forced: _, ...query } = pageLooks[look]!.query;
  await page.goto(
    `${origin}test/widget/gallery/state.html?${new URLSearchParams({ state, ...query }).toString()}`,
  );
  await expect(page.locator("body")).toHaveAttribute("data-shown", state);
}

async function recolour(look: string): Promise<void> {
  await page.evaluate(async (theme) => {
    document.body.classList.toggle("dark", theme === "dark");
    const element = document.querySelector("visavis-avatar");
    element?.setAttribute("theme", theme);
    await element?.updateComplete;
  }, galleryLooks[look]!.query["theme"]!);
}

/** What axe finds in the element, by rule and node. */
async function faultsFound(look: string, moves: boolean): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode().include("visavis-avatar");
  // A text that is fading in does not have its full contrast yet.
  if (moves) axe.disableRules("color-contrast");
  else if (contrastOnly.includes(look)) axe.withRules("color-contrast");
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

for (const [state, { closed, attributes, stopAfterMs }] of Object.entries(galleryStates))
  test(`gallery: ${state}`, async () => {
    faults.length = 0;
    const moves = stopAfterMs !== undefined;
    for (const look of Object.keys(galleryLooks)) {
      await emulate(look, moves);
      if (recoloured.includes(look) && !moves) await recolour(look);
      else await load(state, look);
      const part = closed ? "launcher-button" : "panel";
      await expect(page.locator(`visavis-avatar [part=${part}]`)).toBeVisible();
      if (!closed && !attributes?.["variant"]) await expect(page.getByRole("dialog")).toBeVisible();
      expect(await faultsFound(look, moves), look).toEqual([]);
      expect(await smallTargets(page), look).toEqual([]);
      await test
        .info()
        .attach(`${state}, ${look}`, { body: await page.screenshot(), contentType: "image/png" });
    }
    await emulate(largeText, moves);
    await load(state, largeText);
    expect(await textsCutOff(page), largeText).toEqual([]);
    await test
      .info()
      .attach(`${state}, ${largeText}`, { body: await page.screenshot(), contentType: "image/png" });
    expect(faults).toEqual([]);
  });
