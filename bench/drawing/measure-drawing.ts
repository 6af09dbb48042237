import { readFileSync } from "node:fs";
import { chromium, type Browser, type CDPSession, type LaunchOptions, type Page } from "@playwright/test";
import { percentile, short, type Row, type Table } from "../table.ts";
import type { drawnPage, DrawnRecords } from "./drawn-page.ts";

declare global {
  interface Window {
    drawnPage: typeof drawnPage;
  }
}

/** What draws: the script of `drawn-page.ts` over one state of the source. */
export interface DrawingState {
  readonly name: string;
  readonly script: string;
}

/** A character and its file. */
export interface DrawnCharacter {
  readonly name: string;
  readonly file: string;
}

/** The avatar's frame in CSS pixels, and how many pixels the screen has for each. */
export interface DrawnFrame {
  readonly px: number;
  readonly density: number;
}

const settleMs = 3_000;
const steadyMs = 5_000;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Processor time of the browser's GPU process so far, in seconds. */
async function gpuSeconds(devtools: CDPSession): Promise<number> {
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  return processInfo.filter(({ type }) => /gpu/i.test(type)).reduce((sum, { cpuTime }) => sum + cpuTime, 0);
}

/** Time that the page's main thread has worked so far, in ms. */
async function mainMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

const taken = (page: Page): Promise<DrawnRecords> => page.evaluate(() => window.drawnPage.take());

async function measure(
  browser: Browser,
  { script }: DrawingState,
  character: DrawnCharacter,
  { px, density }: DrawnFrame,
): Promise<Row["columns"]> {
  const page = await browser.newPage({
    viewport: { width: px, height: px },
    deviceScaleFactor: density,
  });
  const [devtools, browserDevtools] = [
    await page.context().newCDPSession(page),
    await browser.newBrowserCDPSession(),
  ];
  await page.setContent("<body style='margin:0'></body>");
  await page.addScriptTag({ content: script });
  await page.evaluate(async ([text, side]) => window.drawnPage.show(JSON.parse(text), side), [
    readFileSync(character.file, "utf8"),
    px,
  ] as const);
  const shown = await taken(page);
  await pause(settleMs);
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
  await taken(page);
  const before = { gpu: await gpuSeconds(browserDevtools), main: await mainMs(devtools) };
  await pause(steadyMs);
  const [main, gpu] = [await mainMs(devtools), await gpuSeconds(browserDevtools)];
  const steady = await taken(page);
  await devtools.send("HeapProfiler.collectGarbage");
  const { heldMb } = await taken(page);
  await page.close();
  const frames = steady.frameCostsMs.length;
  const hundredth = (value: number): number => Math.round(value * 100) / 100;
  return {
    "frames a second": short((frames / steadyMs) * 1_000),
    "main thread, ms a frame": hundredth((main - before.main) / frames),
    "drawing p99, ms": short(percentile(steady.frameCostsMs, 99)),
    "GPU process, % of a core": short(((gpu - before.gpu) / steadyMs) * 1e5),
    "canvases made": steady.canvases,
    "canvases resized": steady.sizes,
    "canvases, MB": short(heldMb),
    "longest task when shown, ms": shown.longestTaskMs ? short(shown.longestTaskMs) : "under 50",
    "longest task later, ms": steady.longestTaskMs ? short(steady.longestTaskMs) : "under 50",
  };
}

/** What drawing costs in this browser. With several states of the source, each is measured in turn. */
export async function measureDrawing(
  launch: LaunchOptions,
  states: readonly DrawingState[],
  characters: readonly DrawnCharacter[],
  frames: readonly DrawnFrame[],
): Promise<Table> {
  const browser = await chromium.launch(launch);
  const page = await browser.newPage();
  const gpu = await page.evaluate(() => {
    const gl = document.createElement("canvas").getContext("webgl2");
    const info = gl?.getExtension("WEBGL_debug_renderer_info");
    return gl && info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "without WebGL";
  });
  await page.close();
  const rows: Row[] = [];
  for (const character of characters)
    for (const frame of frames)
      for (const state of states)
        rows.push({
          name: `${character.name} ${frame.px}@${frame.density} ${state.name}`,
          columns: await measure(browser, state, character, frame),
        });
  const title = `Avatars that the browser draws, speaking (Chromium ${browser.version()}, ${gpu})`;
  await browser.close();
  return { title, rows };
}
