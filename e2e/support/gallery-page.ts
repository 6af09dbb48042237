/** The gallery's page of one state (`test/widget/gallery/state-page.ts`), built and served once for all tests that need no server of ours. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, preview } from "vite";
import type { Page } from "@playwright/test";
import type { ScriptedSession } from "../../test/widget/scripted-session.ts";
// Declares what the page offers.
import type {} from "../../test/widget/gallery/state-page.ts";

const variable = "VISAVIS_TESTS_GALLERY";
const page = "test/widget/gallery/state.html";

/** Builds and serves the page for the workers, which inherit the environment. Returns what ends it. */
export async function serveGallery(): Promise<() => Promise<void>> {
  const root = process.cwd();
  const { NODE_ENV: environment } = process.env;
  const outDir = mkdtempSync(join(tmpdir(), "visavis-gallery-"));
  // Without the project's own configuration, which would build its pages too.
  const options = { root, configFile: false, logLevel: "error" } as const;
  await build({
    ...options,
    build: {
      outDir,
      target: "es2022",
      assetsInlineLimit: 0,
      // One script for all views, so that no view is waited for.
      rolldownOptions: { input: join(root, page), output: { codeSplitting: false } },
    },
  });
  const site = await preview({
    ...options,
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0, headers: { "cache-control": "max-age=3600" } },
  });
  // Vite sets it to "production" for this process and all that it starts: an npm of a test would omit development dependencies.
  if (environment === undefined) delete process.env["NODE_ENV"];
  else process.env["NODE_ENV"] = environment;
  process.env[variable] = site.resolvedUrls?.local[0] ?? "";
  return async () => {
    await site.close();
    rmSync(outDir, { recursive: true, force: true });
  };
}

declare global {
  interface Window {
    /** The session of the element that the page shows: the test controls it. */
    gallerySession: ScriptedSession;
  }
}

/** Opens the page, without any server of ours. Its element has not been opened yet. */
export async function openGallery(tab: Page): Promise<void> {
  const origin = process.env[variable];
  if (origin === undefined) throw new Error("The global setup serves no gallery.");
  await tab.goto(origin + page);
  await tab.waitForFunction(() => document.body.dataset["shown"] !== undefined);
}

/** Shows a state of the gallery in the page that `openGallery` has opened, in a look: `{ dir: "rtl" }`. */
export async function showState(
  tab: Page,
  state: string,
  look: Readonly<Record<string, string>> = {},
): Promise<void> {
  await tab.evaluate((query) => window.showState(query), { state, ...look });
}
