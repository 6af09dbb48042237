import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as elapse } from "node:timers/promises";
import { brotliCompressSync } from "node:zlib";
import type { Page, Request } from "@playwright/test";
import { launcher } from "../e2e/support/widget.ts";
import { openBenchStage, type BenchStage } from "./browser.ts";
import { timesRow, type Table } from "./table.ts";

interface Start {
  /** From the click to the first frame, in ms of the page's clock: a video's that the stage receives, or one that is drawn here. */
  firstFrameMs: number;
  beforeGesture: Request[];
  untilFirstFrame: Request[];
  betweenClickAndFrame: Request[];
}

/** Times of the click and of the first frame, on the page's clock. */
export interface Marks {
  click: number;
  frame: number;
}

declare global {
  interface Window {
    /** Set by `watchFirstFrame`. */
    started: Promise<Marks>;
  }
}

/** How long the pointer rests on the launcher before a visitor clicks it. */
export const hoverMs = 300;

/**
 * Runs in the page: `window.started` resolves with the times of the click and of the first frame, received or drawn here. Await it
 * before the click, so that no script of the benchmark runs between the two.
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
      const drawn = new MutationObserver(() => resolve({ click, frame: performance.now() }));
      drawn.observe(document, { subtree: true, attributeFilter: ["data-drawn"] });
    };
    addEventListener("click", handleClick, { capture: true, once: true });
  });
  window.started = started;
}

async function oneStart(page: Page, stage: BenchStage, restMs: number): Promise<Start> {
  const requests: Request[] = [];
  page.on("request", (request) => requests.push(request));
  await page.addInitScript(watchFirstFrame);
  await page.goto(stage.site.origin);
  const button = launcher(page);
  await button.waitFor();
  await page.waitForLoadState("networkidle");
  const isForRelay = (request: Request): boolean => request.url().startsWith(stage.server.origin);
  const beforeGesture = requests.filter(isForRelay);
  if (restMs > 0) {
    await button.hover();
    await elapse(restMs);
  }
  const started = page.evaluate(() => window.started);
  await button.click();
  const { click, frame } = await started;
  // The page's timeline lists a request only when its response is complete.
  await Promise.all(requests.map(async (request) => (await request.response())?.finished()));
  const timed = await page.evaluate(() =>
    performance.getEntriesByType("resource").map(({ name, startTime }) => ({ name, startTime })),
  );
  const fromRelay = requests.filter(isForRelay);
  const startOf = (request: Request): number =>
    timed.find(({ name }) => name === request.url())?.startTime ?? Number.NaN;
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
  const scripts = [
    ...new Set(start.untilFirstFrame.map((request) => new URL(request.url()).pathname)),
  ].filter((path) => path.endsWith(".js"));
  const rows = scripts.map((path) => ({ name: path, columns: { "brotli bytes": brotliBytes(path) } }));
  const total = rows.reduce((sum, row) => sum + row.columns["brotli bytes"], 0);
  return {
    title:
      "Scripts that are loaded until the first frame, with those that are loaded ahead; what it needs has limits in .size-limit.js",
    rows: [...rows, { name: "together", columns: { "brotli bytes": total } }],
  };
}

/** Bytes and requests until the first frame, and the time from click to first frame. */
export async function benchStart(rounds = 20): Promise<Table[]> {
  const stage = await openBenchStage(null);
  try {
    // The first start with a new server and a new browser is slower than what visitors usually see, so it is not measured.
    await oneStart(await stage.newPage(), stage, hoverMs);
    const warm = await oneStart(await stage.newPage(), stage, hoverMs);
    const starts: Start[] = [];
    const cold: number[] = [];
    for (let round = 0; round < rounds; round++) {
      starts.push(await oneStart(await stage.newPage(), stage, hoverMs));
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
            columns: { request: `${request.method()} ${new URL(request.url()).pathname}` },
          })),
          ...warm.betweenClickAndFrame.map((request) => ({
            name: "between click and first frame",
            columns: { request: `${request.method()} ${new URL(request.url()).pathname}` },
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
