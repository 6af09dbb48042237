import { chromium, type Browser, type Page } from "@playwright/test";
import type { Drawer } from "../src/protocol/settings/drawing-settings.ts";
import config from "../e2e/playwright.config.ts";
import { hostPage, startHostSite, type HostSite } from "../e2e/support/host-page.ts";
import { startServer, type Server } from "../e2e/support/stack.ts";
import { snippet } from "../e2e/support/widget.ts";

/** A built server, a page on another origin with the snippet, and a browser. Every browser benchmark uses it. */
export interface BenchStage {
  server: Server;
  site: HostSite;
  browser: Browser;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

/**
 * Starts the stage, with an avatar that the service draws, or whoever is wanted; null: as the context says. `npm run build` must have
 * run.
 */
export async function openBenchStage(drawer: Drawer | null = "remote"): Promise<BenchStage> {
  const server = await startServer();
  const page = hostPage(snippet(server.origin, "ctx_demo", "", drawer));
  const site = await startHostSite({ "/": page }, { relayOrigin: server.origin });
  const browser = await chromium.launch(config.use?.launchOptions);
  return {
    server,
    site,
    browser,
    newPage: async () => {
      const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
      await page.addInitScript("globalThis.__name = (f) => f");
      return page;
    },
    close: async () => {
      await browser.close();
      await site.close();
      await server.stop();
    },
  };
}
