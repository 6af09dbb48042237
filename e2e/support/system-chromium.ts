import { existsSync } from "node:fs";

/**
 * The installed Chromium, if there is one. Playwright's own is used otherwise. The headless shell comes first, as with Playwright: it
 * draws no window around the page, so opening a page takes a fifth of the processor's time.
 */
export const systemChromium = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find((path) => path !== undefined && existsSync(path));
