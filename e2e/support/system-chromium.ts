import { existsSync } from "node:fs";

/** The installed Chromium, if there is one. Playwright's own is used otherwise. */
export const systemChromium = [
  process.env["CHROMIUM_PATH"],
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
].find((path) => path !== undefined && existsSync(path));
