import type { CDPSession, Page } from "@playwright/test";
import {
  avatar,
  type AvatarElement,
  clickLauncher,
  launcher,
  snippet,
  untilFirstFrame,
  untilState,
} from "../e2e/support/widget.ts";
import { livingElements } from "../e2e/support/living-elements.ts";
import { hostPage, startHostSite } from "../e2e/support/host-page.ts";
import { allowSoftwareWebgl } from "../e2e/support/software-webgl.ts";
import { openBenchStage, type BenchStage } from "./browser.ts";
import { pageRecords, watchPage, type PageRecords } from "./page-watch.ts";
import { percentile, short, type Row, type Table } from "./table.ts";

/** How long each steady state is measured, in ms. */
const steadyMs = 10_000;
/** The factor by which the processor is slowed down to measure the longest tasks. */
const slowdown = 4;
const mounts = 100;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function slow(devtools: CDPSession, rate: number): Promise<void> {
  await devtools.send("Emulation.setCPUThrottlingRate", { rate });
}

/** Starts to count the main thread's own processor time, which does not include the time of other processes. */
async function measureThread(devtools: CDPSession): Promise<void> {
  await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
}

/** Time that the page's main thread has worked so far, in ms. */
async function mainThreadMs(devtools: CDPSession): Promise<number> {
  const { metrics } = await devtools.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1_000;
}

/** The states of a conversation, one after the other. `note` is called when each has settled. */
async function visitStates(page: Page, note: (state: string) => Promise<void>): Promise<void> {
  const settled = async (state: string): Promise<void> => {
    await pause(1_500);
    await note(state);
  };
  const button = (name: RegExp) => avatar(page).getByRole("button", { name }).first();
  await settled("before a gesture");
  await launcher(page).hover();
  await settled("pointer on the launcher");
  await clickLauncher(page);
  await untilFirstFrame(page);
  await settled("live");
  await button(/^(Write|Conversation|Type)/i).click();
  await settled("transcript");
  await avatar(page).evaluate(
    (element: AvatarElement) => void element.send("How much is the Alder reading chair?"),
  );
  await pause(4_000);
  await settled("answer");
  await button(/More|Menu/i).click();
  await settled("menu");
  await page.keyboard.press("Escape");
  await avatar(page).evaluate((element: AvatarElement) => element.end());
  await untilState(page, "ended");
  await settled("ended");
}

/** Layout shifts and longest tasks of each state, with a slower processor or without. */
async function benchStates(
  stage: BenchStage,
  address: string,
  rate: number,
): Promise<Map<string, PageRecords>> {
  const page = await stage.newPage();
  const devtools = await page.context().newCDPSession(page);
  await slow(devtools, rate);
  await page.addInitScript(watchPage);
  await page.goto(address);
  await launcher(page).waitFor();
  const seen = new Map<string, PageRecords>();
  await visitStates(page, async (state) => {
    seen.set(state, await pageRecords(page));
  });
  await page.close();
  return seen;
}

function shiftRows(variant: string, seen: Map<string, PageRecords>): Row[] {
  return [...seen].map(([state, { shift }]) => ({
    name: `${variant}, ${state}`,
    columns: { shift: Math.round(shift * 10_000) / 10_000, goal: 0 },
  }));
}

function taskRows(seen: Map<string, PageRecords>): Row[] {
  return [...seen].map(([state, { longestTaskMs }]) => ({
    name: state,
    columns: {
      "longest task, ms": longestTaskMs ? short(longestTaskMs) : "under 50",
      goal: state === "before a gesture" ? "at most 50" : "at most 150",
    },
  }));
}

/** What the renderer's main thread does in a page at rest, in percent of a core. */
async function benchIdle(stage: BenchStage): Promise<Table> {
  const share = async (open: boolean, path: string): Promise<number> => {
    const page = await stage.newPage();
    await page.goto(path);
    if (path === stage.site.origin) await launcher(page).waitFor();
    if (open) await avatar(page).evaluate((element: AvatarElement) => element.open());
    await pause(3_000);
    const devtools = await page.context().newCDPSession(page);
    await measureThread(devtools);
    const before = await mainThreadMs(devtools);
    await pause(steadyMs);
    const used = (await mainThreadMs(devtools)) - before;
    await page.close();
    return (used / steadyMs) * 100;
  };
  const row = (name: string, percent: number, goal: string): Row => ({
    name,
    columns: { "% of a core": Math.round(percent * 100) / 100, goal },
  });
  return {
    title: "Main thread of a page at rest",
    rows: [
      row("an empty page", await share(false, "about:blank"), ""),
      row("with the launcher", await share(false, stage.site.origin), "under 0.5"),
      row("open before the start", await share(true, stage.site.origin), "under 0.5"),
    ],
  };
}

/** What drawing a frame costs the main thread, and how the picture adapts to a slower processor. */
export async function benchFrames(): Promise<Table[]> {
  const stage = await openBenchStage();
  try {
    return await measureFrames(stage);
  } finally {
    await stage.close();
  }
}

async function measureFrames(stage: BenchStage): Promise<Table[]> {
  const page = await stage.newPage();
  await page.addInitScript(watchPage);
  await page.goto(stage.site.origin);
  await launcher(page).hover();
  await clickLauncher(page);
  await untilFirstFrame(page);
  await pause(8_000);
  const devtools = await page.context().newCDPSession(page);
  await measureThread(devtools);
  const before = { usedMs: await mainThreadMs(devtools), ...(await pageRecords(page)) };
  await pause(steadyMs);
  const after = { usedMs: await mainThreadMs(devtools), ...(await pageRecords(page)) };
  const frames = after.frameCostsMs.length - before.frameCostsMs.length;
  const costs = after.frameCostsMs.slice(-frames);
  const software = after.renderer === "" || /swiftshader|llvmpipe|software/i.test(after.renderer);
  const cost: Table = {
    title: `Main thread for each shown frame, ms (${after.renderer || "2D canvas"})`,
    rows: [
      {
        name: "all work of the page",
        columns: {
          frames,
          mean: short((after.usedMs - before.usedMs) / frames),
          goal: software ? "at most 8 (software)" : "at most 2 (GPU)",
        },
      },
      {
        name: "upload and drawing alone",
        columns: {
          frames,
          mean: short(costs.reduce((sum, each) => sum + each, 0) / frames),
          p90: short(percentile(costs, 90)),
        },
      },
    ],
  };
  const rows: Row[] = [];
  for (const rate of [4, 12, 1]) {
    await slow(devtools, rate);
    await pause(25_000);
    const { frameCostsMs } = await pageRecords(page);
    await pause(4_000);
    const now = await pageRecords(page);
    rows.push({
      name: rate === 1 ? "and at full speed again" : `${rate} times slower`,
      columns: {
        picture: (await avatar(page).getAttribute("data-picture")) ?? "full",
        "frames a second": short((now.frameCostsMs.length - frameCostsMs.length) / 4),
      },
    });
  }
  await page.close();
  return [cost, { title: "The picture after 25 s with a slower processor", rows }];
}

/** Elements that are added and removed again at random moments. */
export async function benchMounts(): Promise<Table[]> {
  const stage = await openBenchStage();
  try {
    return [await measureMounts(stage)];
  } finally {
    await stage.close();
  }
}

async function measureMounts(stage: BenchStage): Promise<Table> {
  const page = await stage.newPage();
  await page.addInitScript(allowSoftwareWebgl);
  await page.addInitScript(watchPage);
  await page.goto(stage.site.origin);
  await launcher(page).waitFor();
  const devtools = await page.context().newCDPSession(page);
  const mount = (count: number): Promise<void> =>
    page.evaluate(async (rounds) => {
      document.querySelector("visavis-avatar")?.remove();
      for (let round = 0; round < rounds; round++) {
        const element = document.createElement("visavis-avatar");
        element.setAttribute("context-id", "ctx_demo");
        (window.madeElements ??= []).push(new WeakRef(element));
        document.body.append(element);
        element.start().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, Math.random() * 800));
        element.remove();
      }
    }, count);
  const heapKb = async (): Promise<number> => {
    await pause(18_000);
    await devtools.send("HeapProfiler.collectGarbage");
    return (await devtools.send("Runtime.getHeapUsage")).usedSize / 1_024;
  };
  // Without a handle of the driver, which would keep the element alive.
  await page.evaluate(() => {
    document.querySelector("visavis-avatar")?.open();
  });
  await page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);
  await mount(10);
  const before = await heapKb();
  await mount(mounts);
  const growth = (await heapKb()) - before;
  const { connections, contexts } = await pageRecords(page);
  const row = (name: string, value: number, goal: string): Row => ({ name, columns: { value, goal } });
  const rows = [
    row("elements left", await livingElements(page, devtools), "0"),
    row("WebGL contexts left", contexts, "0"),
    row("peer connections left", connections, "0"),
    row("heap growth for each, KB", short(growth / mounts), "under 20"),
  ];
  await page.close();
  return { title: `${mounts} elements started and removed within 0 to 800 ms`, rows };
}

/** What the widget costs the page around it: layout shifts, long tasks, work at rest. */
export async function benchPage(): Promise<Table[]> {
  const stage = await openBenchStage();
  const inline = await startHostSite(
    {
      "/": hostPage(
        `<div style="width:400px">${snippet(stage.server.origin, "ctx_demo", 'data-variant="inline"')}</div>`,
      ),
    },
    { relayOrigin: stage.server.origin },
  );
  try {
    const usual = await benchStates(stage, stage.site.origin, 1);
    const framed = await benchStates(stage, inline.origin, 1);
    const slowed = await benchStates(stage, stage.site.origin, slowdown);
    return [
      {
        title: "Layout shift of the page around it",
        rows: [...shiftRows("bubble", usual), ...shiftRows("inline", framed)],
      },
      { title: `Longest task with a processor ${slowdown} times slower`, rows: taskRows(slowed) },
      await benchIdle(stage),
    ];
  } finally {
    await inline.close();
    await stage.close();
  }
}
