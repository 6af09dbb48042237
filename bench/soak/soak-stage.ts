import { chromium, type Browser, type Page } from "@playwright/test";
import config from "../../e2e/playwright.config.ts";
import { hostPage, startHostSite } from "../../e2e/support/host-page.ts";
import { recordConnections } from "../../e2e/support/page-records.ts";
import { startServer, type Server } from "../../e2e/support/stack.ts";
import { snippet } from "../../e2e/support/widget.ts";
import { openDistantStage } from "../../e2e/support/lossy-link/distant-stage.ts";
import { linkProblem, type LossyLink } from "../../e2e/support/lossy-link/lossy-link.ts";

/** The environment of a soak test. */
export interface SoakStage {
  readonly server: Server;
  readonly siteOrigin: string;
  readonly browser: Browser;
  /** The network link that can be cut. If the system does not allow one, it is null and `linkProblem` says why. */
  readonly link: LossyLink | null;
  readonly linkProblem: string | null;
  newPage(): Promise<Page>;
  close(): Promise<void>;
}

async function openNearStage(): Promise<Omit<SoakStage, "newPage" | "link" | "linkProblem">> {
  const server = await startServer();
  const site = await startHostSite(
    { "/": hostPage(snippet(server.origin, "ctx_demo")) },
    { relayOrigin: server.origin },
  );
  const browser = await chromium.launch(config.use?.launchOptions);
  return {
    server,
    siteOrigin: site.origin,
    browser,
    close: async () => {
      await browser.close();
      await site.close();
      await server.stop();
    },
  };
}

/** Starts server, page and browser, with a link between them that can be cut if the system allows it. */
export async function openSoakStage(): Promise<SoakStage> {
  const problem = linkProblem();
  const distant = problem === null ? await openDistantStage({ delayMs: 10, jitterMs: 2 }) : null;
  const stage = distant ? { ...distant, siteOrigin: distant.site.origin } : await openNearStage();
  // One context for all pages: closing the last page of a context would also cancel requests that must outlive the page.
  const context = await stage.browser.newContext({ viewport: { width: 420, height: 640 } });
  return {
    server: stage.server,
    siteOrigin: stage.siteOrigin,
    browser: stage.browser,
    link: distant?.link ?? null,
    linkProblem: problem,
    newPage: async () => {
      const page = await context.newPage();
      await page.addInitScript("globalThis.__name = (f) => f");
      await recordConnections(page);
      return page;
    },
    close: () => stage.close(),
  };
}
