import type { Page } from "@playwright/test";
import { hostPage, startHostSite } from "../e2e/support/host-page.ts";
import {
  avatar,
  clickLauncher,
  launcher,
  snippet,
  untilFirstFrame,
  type AvatarElement,
} from "../e2e/support/widget.ts";
import { openBenchStage } from "./browser.ts";
import { timesRow, type Table } from "./table.ts";

const rounds = 10;
/** How long the avatar is out of sight: its video is paused by then. */
const awayMs = 2_500;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

type Way = "open" | "jump" | "scroll";

/**
 * Time until the next new frame of the video, in ms of the page's clock: from the call, or from the moment when a visitor who
 * scrolls sees the first of the avatar.
 */
function untilNextFrame(page: Page, comeBack: Way): Promise<number> {
  return avatar(page).evaluate(
    (element: AvatarElement, how) =>
      new Promise<number>((resolve) => {
        const measure = (): void => {
          const video = element.shadowRoot?.querySelector("video");
          const startMs = performance.now();
          video?.requestVideoFrameCallback(() => resolve(performance.now() - startMs));
        };
        if (how === "scroll") {
          const observer = new IntersectionObserver(([entry]) => {
            if (!entry?.isIntersecting) return;
            observer.disconnect();
            measure();
          });
          observer.observe(element);
          scrollTo({ top: 0, behavior: "smooth" });
          return;
        }
        measure();
        if (how === "open") element.open();
        else scrollTo(0, 0);
      }),
    comeBack,
  );
}

/** `page` is a new one: a tab keeps its conversation for the next page. */
async function measure(page: Page, address: string, how: Way): Promise<number[]> {
  await page.goto(address);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilFirstFrame(page);
  await pause(8_000);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    await avatar(page).evaluate((element: AvatarElement, away) => {
      if (away === "open") element.close();
      else scrollTo(0, 1e6);
    }, how);
    await pause(awayMs);
    times.push(await untilNextFrame(page, how));
    await pause(1_000);
  }
  return times;
}

declare global {
  interface Window {
    /** When the avatar was back on this page, with its transcript, in ms after the page's load event. */
    avatarBackMs?: number;
  }
}

/** Runs in the page. Notes when the first frame of the conversation's video is there. */
function watchPageLoad(): void {
  let loadedMs = Infinity;
  addEventListener("load", () => {
    loadedMs = performance.now();
  });
  const look = (): void => {
    const element = document.querySelector("visavis-avatar");
    const video = element?.shadowRoot?.querySelector("video");
    const isWritten = element !== null && "transcript" in element && element.transcript.length > 0;
    if (!video || !isWritten || loadedMs === Infinity) {
      requestAnimationFrame(look);
      return;
    }
    video.requestVideoFrameCallback(() => {
      window.avatarBackMs = performance.now() - loadedMs;
    });
  };
  requestAnimationFrame(look);
}

/** Times until the avatar is back after reloads of its page. */
async function measurePageLoads(page: Page, address: string): Promise<number[]> {
  await page.addInitScript(watchPageLoad);
  await page.goto(address);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilFirstFrame(page);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // The page keeps the conversation for the next one some time after the first frame.
    await pause(8_000);
    await page.reload();
    await page.waitForFunction(() => window.avatarBackMs !== undefined);
    times.push(await page.evaluate(() => window.avatarBackMs ?? Infinity));
  }
  return times;
}

/** How soon there is a new picture when the avatar is in view again: its video was paused meanwhile. */
export async function benchReturn(): Promise<Table[]> {
  const stage = await openBenchStage();
  const long = await startHostSite(
    {
      "/": hostPage(
        `<div id="here"></div><table height="3000"><tr><td>Below</td></tr></table>` +
          snippet(stage.server.origin, "ctx_demo", 'data-variant="inline" data-target="#here"'),
      ),
    },
    { relayOrigin: stage.server.origin },
  );
  try {
    const measureIn = async (address: string, how: Way) => measure(await stage.newPage(), address, how);
    return [
      {
        title: "Picture back in view, ms (at most 200)",
        rows: [
          timesRow("panel opened again", await measureIn(stage.site.origin, "open")),
          timesRow("scrolled into view", await measureIn(long.origin, "scroll")),
          timesRow("jumped to on the page", await measureIn(long.origin, "jump")),
        ],
      },
      {
        title: "Avatar back with its transcript after a page load, ms after the load event (at most 700)",
        rows: [timesRow("reload", await measurePageLoads(await stage.newPage(), stage.site.origin))],
      },
    ];
  } finally {
    await long.close();
    await stage.close();
  }
}
