import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";
import type { Page } from "@playwright/test";
import { openBenchStage, type BenchStage } from "./browser.ts";
import { timesRow, type Table } from "./table.ts";

interface Requested {
  url: string;
  method: string;
}

interface Start {
  /** Click to the first video frame that the stage is given, in ms of the page's own clock. */
  firstFrameMs: number;
  beforeGesture: Requested[];
  untilFirstFrame: Requested[];
  betweenClickAndFrame: Requested[];
}

/** When the visitor clicked and saw, by the page's clock. */
export interface Marks {
  click: number;
  frame: number;
}

/**
 * In the page: promises the times of the click and of the first frame of the received video, by the page's clock. Asked for
 * ahead of the click, so that the test's own scripts do not run between the two.
 */
export function watchFirstFrame(): void {
  const started = new Promise<Marks>((resolve) => {
    const handleClick = (): void => {
      const click = performance.now();
      const look = (): void => {
        const video = document.querySelector("visavis-avatar")?.shadowRoot?.querySelector("video");
        if (video) video.requestVideoFrameCallback(() => resolve({ click, frame: performance.now() }));
        else setTimeout(look, 1);
      };
      look();
    };
    addEventListener("click", handleClick, { capture: true, once: true });
  });
  Object.assign(window, { started });
}

async function oneStart(page: Page, stage: BenchStage, hoverMs: number): Promise<Start> {
  const requests: Requested[] = [];
  page.on("request", (request) => requests.push({ url: request.url(), method: request.method() }));
  await page.addInitScript(watchFirstFrame);
  await page.goto(stage.site.origin);
  const button = page.locator("visavis-avatar [part~=launcher-button]");
  await button.waitFor();
  await page.waitForTimeout(400);
  const beforeGesture = requests.filter((request) => request.url.startsWith(stage.server.origin));
  if (hoverMs > 0) {
    await button.hover();
    await page.waitForTimeout(hoverMs);
  }
  const started = page.evaluate(() => (window as unknown as { started: Promise<Marks> }).started);
  await button.click();
  const { click, frame } = await started;
  await page.waitForTimeout(300);
  const timed = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
  );
  const fromRelay = requests.filter((request) => request.url.startsWith(stage.server.origin));
  // Each request once, by the page's own clock.
  const startOf = (request: Requested): number =>
    timed.find(({ name }) => name === request.url)?.startTime ?? Number.NaN;
  await page.close();
  return {
    firstFrameMs: frame - click,
    beforeGesture,
    untilFirstFrame: fromRelay.filter((request) => startOf(request) <= frame),
    betweenClickAndFrame: fromRelay.filter(
      (request) => startOf(request) >= click && startOf(request) <= frame,
    ),
  };
}

const brotliBytes = (path: string): number =>
  brotliCompressSync(readFileSync(join("dist/public", path))).length;

function sizes(start: Start): Table {
  const scripts = [...new Set(start.untilFirstFrame.map((request) => new URL(request.url).pathname))].filter(
    (path) => path.endsWith(".js"),
  );
  const rows = scripts.map((path) => ({ name: path, columns: { "brotli bytes": brotliBytes(path) } }));
  const total = rows.reduce((sum, row) => sum + row.columns["brotli bytes"], 0);
  return {
    title: "Bytes until the first frame (scripts and styles, fonts apart; limit 35,000, loader 3,000)",
    rows: [...rows, { name: "together", columns: { "brotli bytes": total } }],
  };
}

/** Bytes and requests until the first frame, and the time from click to first frame. */
export async function benchStart(rounds = 20): Promise<Table[]> {
  const stage = await openBenchStage();
  try {
    // The server's and the browser's first time is not what visitors meet.
    await oneStart(await stage.newPage(), stage, 300);
    const warm = await oneStart(await stage.newPage(), stage, 300);
    const starts: Start[] = [];
    const cold: number[] = [];
    for (let round = 0; round < rounds; round++) {
      starts.push(await oneStart(await stage.newPage(), stage, 300));
      if (round % 4 === 0) cold.push((await oneStart(await stage.newPage(), stage, 0)).firstFrameMs);
    }
    const times = starts.map((start) => start.firstFrameMs);
    return [
      sizes(warm),
      {
        title: "Requests to the relay",
        rows: [
          ...warm.beforeGesture.map((request) => ({
            name: "before a gesture",
            columns: { request: `${request.method} ${new URL(request.url).pathname}` },
          })),
          ...warm.betweenClickAndFrame.map((request) => ({
            name: "between click and first frame",
            columns: { request: `${request.method} ${new URL(request.url).pathname}` },
          })),
        ],
      },
      {
        title: "Click to first avatar frame on loopback, ms (median at most 150)",
        rows: [
          timesRow("pointer rested 300 ms on the launcher", times),
          timesRow("click without a pause", cold),
        ],
      },
    ];
  } finally {
    await stage.close();
  }
}
