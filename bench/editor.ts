import { chromium, type Browser, type Page } from "@playwright/test";
import { password } from "../e2e/console/console-fixture.ts";
import { openEditor } from "../e2e/console/editor-fixture.ts";
import config from "../e2e/playwright.config.ts";
import { startServer } from "../e2e/support/stack.ts";
import { timesRow, type Table } from "./table.ts";

const rounds = 20;
/** Operators pause between two changes: what the one before has started is over by then. */
const restMs = 700;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Time from a typed name until the preview shows it, in ms of the page's clock. */
function untilNameShows(page: Page, name: string): Promise<number> {
  return page.evaluate(
    (text) =>
      new Promise<number>((resolve) => {
        const pane = document.querySelector("visavis-console-preview");
        const input = document.querySelector<HTMLInputElement>("#field-embed_config-ui-avatar_name");
        if (!pane || !input) throw new Error("The editor is not there.");
        const startMs = performance.now();
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - startMs));
        });
        observer.observe(pane, { attributeFilter: ["data-shown"] });
        input.value = text;
        input.dispatchEvent(new Event("input", { bubbles: true }));
      }),
    name,
  );
}

/** Time from the choice of a corner until the avatar in the preview has it, in ms of the page's clock. */
function untilCornerShows(page: Page, index: number): Promise<number> {
  return page.evaluate(
    (at) =>
      new Promise<number>((resolve) => {
        const frame = document.querySelector<HTMLIFrameElement>("iframe.pv-frame");
        const avatar = frame?.contentDocument?.querySelector("#place > :not([data-waiting])");
        const corner = document.querySelectorAll<HTMLInputElement>("input[name=placement]")[at];
        if (!avatar || !corner) throw new Error("The editor is not there.");
        const startMs = performance.now();
        const observer = new MutationObserver(() => {
          observer.disconnect();
          requestAnimationFrame(() => resolve(performance.now() - startMs));
        });
        observer.observe(avatar, { attributeFilter: ["placement"] });
        corner.click();
      }),
    index,
  );
}

async function measured(measure: (round: number) => Promise<number>): Promise<number[]> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    times.push(await measure(round));
    await pause(restMs);
  }
  return times;
}

/** Times from the navigation until the overview stands with its data, ms: each with an empty cache, signed in. */
async function untilConsoleStands(browser: Browser, signedIn: Page, origin: string): Promise<number[]> {
  const storageState = await signedIn.context().storageState();
  return measured(async () => {
    const context = await browser.newContext({ storageState });
    const page = await context.newPage();
    await page.addInitScript(() => {
      const observer = new MutationObserver(() => {
        if (!document.querySelector("main h1") || document.querySelector(".skeleton")) return;
        observer.disconnect();
        performance.mark("stands");
      });
      observer.observe(document, { childList: true, subtree: true });
    });
    await page.goto(`${origin}/console/`);
    const stands = await page.waitForFunction(() => performance.getEntriesByName("stands")[0]?.startTime);
    const ms = (await stands.jsonValue()) ?? 0;
    await context.close();
    return ms;
  });
}

/** How long the console takes until it stands, and its editor until the preview shows a change. */
export async function benchEditor(): Promise<Table[]> {
  const server = await startServer("start", { VISAVIS_PASSWORD: password });
  const browser = await chromium.launch(config.use?.launchOptions);
  try {
    const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
    await openEditor(page, server, "look");
    await page.locator("visavis-console-preview[data-shown]").waitFor();
    await pause(restMs);
    const names = await measured((round) => untilNameShows(page, `Mara ${round}`));
    // The avatar stands in the first corner at the beginning.
    const corners = await measured((round) => untilCornerShows(page, (round + 1) % 2));
    const stands = await untilConsoleStands(browser, page, server.origin);
    return [
      {
        title:
          "Console: from the navigation to the overview with its data on loopback, ms (median at most 500)",
        rows: [timesRow("signed in, nothing cached", stands)],
      },
      {
        title: "Editor: from a change to the preview on loopback, ms (median at most 100)",
        rows: [
          timesRow("a name, which needs another embed key", names),
          timesRow("a corner, which is an attribute", corners),
        ],
      },
    ];
  } finally {
    await browser.close();
    await server.stop();
  }
}
