import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { systemChromium } from "../../e2e/support/system-chromium.ts";
import { runCommand } from "./command.ts";

/**
 * Makes sure that there is a browser for the tests: an installed one, or Playwright's own, which its installer downloads once.
 * Returns what to do where that cannot be had; null: there is one.
 */
export async function missingBrowser(): Promise<string | null> {
  if (systemChromium !== undefined || existsSync(chromium.executablePath())) return null;
  process.stdout.write("\nNo Chromium is installed: Playwright downloads one.\n");
  const { code } = await runCommand(["playwright", "install", "chromium"], {
    shows: true,
    limitMs: 10 * 60_000,
  });
  if (code === 0) return null;
  return (
    "browser: no Chromium is installed, and Playwright could not download one. Install the system's " +
    "(Debian: apt-get install chromium-headless-shell), or name one in CHROMIUM_PATH."
  );
}
