import { existsSync } from "node:fs";

const chosen = process.env["CHROMIUM_PATH"];

const found = (...paths: (string | undefined)[]): string | undefined =>
  paths.find((path) => path !== undefined && existsSync(path));

/**
 * The installed Chromium, if there is one. Playwright's own is used otherwise. The headless shell comes first, as with Playwright: it
 * draws no window around the page, so opening a page takes a fifth of the processor's time.
 */
export const systemChromium = found(
  chosen,
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
);

/** The same with all that a browser has around a page, such as the cache for Back. */
export const wholeChromium = found(chosen, "/usr/bin/chromium", "/usr/bin/chromium-browser");
