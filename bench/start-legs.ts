import { setTimeout as elapse } from "node:timers/promises";
import type { Page } from "@playwright/test";
import { linkProblem } from "../e2e/support/lossy-link/lossy-link.ts";
import { openDistantStage, type DistantStage } from "../e2e/support/lossy-link/distant-stage.ts";
import { changeContext } from "../e2e/support/service-api.ts";
import { launcher } from "../e2e/support/widget.ts";
import { localFaceMs } from "./start-face.ts";
import { percentile, short, timesRow, type Row, type Table } from "./table.ts";

/** When each leg of a start was over, on the page's clock. */
export interface Legs {
  click: number;
  posted: number;
  answered: number;
  applied: number;
  checked: number;
  secured: number;
  /** The last packet of the first picture arrived. */
  arrived: number;
  frame: number;
}

declare global {
  interface Window {
    /** Set by `watchLegs`. */
    legs: Promise<Legs>;
  }
}

/** Runs in the page: `window.legs` resolves when the first video frame is there. */
export function watchLegs(): void {
  const seen = { applied: Number.NaN, checked: Number.NaN, secured: Number.NaN };
  const Native = RTCPeerConnection;
  window.RTCPeerConnection = class extends Native {
    constructor(...given: ConstructorParameters<typeof Native>) {
      super(...given);
      this.addEventListener("iceconnectionstatechange", () => {
        if (this.iceConnectionState === "connected") seen.checked = performance.now();
      });
      this.addEventListener("connectionstatechange", () => {
        if (this.connectionState === "connected") seen.secured = performance.now();
      });
    }
    override async setRemoteDescription(description: RTCSessionDescriptionInit): Promise<void> {
      await super.setRemoteDescription(description);
      seen.applied = performance.now();
    }
  };
  window.legs = new Promise((resolve) => {
    const handleClick = (): void => {
      const click = performance.now();
      const handleFrame = (frame: number, receiveTime: number | undefined): void => {
        const [request] = performance
          .getEntriesByType("resource")
          .filter(({ name }) => name.endsWith("/embed/v1/sessions"))
          .map(({ startTime, duration }) => ({ posted: startTime, answered: startTime + duration }));
        if (request) resolve({ click, ...request, ...seen, arrived: receiveTime ?? Number.NaN, frame });
      };
      const look = (): void => {
        const video = document.querySelector("visavis-avatar")?.shadowRoot?.querySelector("video");
        if (video)
          video.requestVideoFrameCallback((_, data) => handleFrame(performance.now(), data.receiveTime));
        else setTimeout(look, 1);
      };
      look();
    };
    addEventListener("click", handleClick, { capture: true, once: true });
  });
}

/** How a visitor begins: the pointer rests on the launcher before the click, or a finger taps it. */
type Way = "hovered" | "tapped";

/** How long a finger stays on the screen in a tap, in ms. */
const tapMs = 80;

async function begin(page: Page, way: Way): Promise<void> {
  const button = launcher(page);
  if (way === "hovered") {
    await button.hover();
    // At a distance the widget takes longer to arrive than a pointer rests.
    await page.waitForFunction(() => customElements.get("visavis-avatar"));
    await elapse(500);
    await button.click();
    return;
  }
  const box = await button.boundingBox();
  if (!box) throw new Error("The launcher is not on the page.");
  const tools = await page.context().newCDPSession(page);
  const touchPoints = [{ x: box.x + box.width / 2, y: box.y + box.height / 2 }];
  await tools.send("Input.dispatchTouchEvent", { type: "touchStart", touchPoints });
  await elapse(tapMs);
  await tools.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
}

async function oneStart(stage: DistantStage, way: Way, isLoadedAhead: boolean): Promise<Legs> {
  const context = await stage.browser.newContext({
    viewport: { width: 1280, height: 800 },
    hasTouch: way === "tapped",
  });
  try {
    const page = await context.newPage();
    await page.addInitScript("globalThis.__name = (f) => f");
    await page.addInitScript(watchLegs);
    await page.goto(stage.site.origin);
    await launcher(page).waitFor();
    if (isLoadedAhead) await page.waitForFunction(() => customElements.get("visavis-avatar"));
    await page.waitForLoadState("networkidle");
    const legs = page.evaluate(() => window.legs);
    await begin(page, way);
    return await legs;
  } finally {
    await context.close();
  }
}

/**
 * Whether the browser had to send its first DTLS message again: the handshake takes two round trips, and two more then. Its two packets overtook
 * the answer to the server's connectivity check (docs/performance.md).
 */
function isRepeated({ checked, secured }: Legs, rttMs: number): boolean {
  return secured - checked > 3 * rttMs;
}

function legsRow(name: string, starts: readonly Legs[], rttMs: number): Row {
  const median = (from: keyof Legs, to: keyof Legs): number =>
    short(percentile(starts.map((start) => start[to] - start[from]).filter(Number.isFinite), 50));
  return {
    name,
    columns: {
      "click → POST": median("click", "posted"),
      POST: median("posted", "answered"),
      "answer applied": median("answered", "applied"),
      "connectivity check": median("applied", "checked"),
      DTLS: median("checked", "secured"),
      "key frame arrives": median("secured", "arrived"),
      "decoded and shown": median("arrived", "frame"),
      together: median("click", "frame"),
      "DTLS repeated, starts": starts.filter((start) => isRepeated(start, rttMs)).length,
    },
  };
}

async function localFaces(stage: DistantStage, rounds: number): Promise<number[]> {
  await changeContext({ server: stage.server, context: "ctx_demo" }, ({ embed_config }) => {
    delete embed_config["prefetch"];
    embed_config["render"] = "local";
  });
  // The relay keeps contexts for some seconds.
  const context = `${stage.relayOrigin}/embed/v1/contexts/ctx_demo`;
  while (!(await (await fetch(context)).text()).includes('"render":"local"')) await elapse(500);
  const times: number[] = [];
  for (let round = 0; round < rounds; round++)
    times.push(await localFaceMs(stage.browser, stage.site.origin));
  return times;
}

/** Click → first frame behind a link of so many ms of round trip, leg by leg. Needs root on Linux. */
export async function benchStartLegs(rttMs: number, rounds = 10): Promise<Table[]> {
  const problem = linkProblem("plain");
  if (problem !== null) throw new Error(`The link cannot be made: ${problem}`);
  const stage = await openDistantStage(
    { delayMs: rttMs / 2, routing: "plain" },
    // A server on the internet names one address. Each further one would be tried by the browser too.
    (link) => Promise.resolve({ VISAVIS_MEDIA_ADDRESS: link.hostAddress }),
    null,
  );
  try {
    await changeContext({ server: stage.server, context: "ctx_demo" }, ({ embed_config }) => {
      embed_config["render"] = "remote";
    });
    // The first start with a new server and a new browser is slower than what visitors usually see, so it is not measured.
    await oneStart(stage, "hovered", false);
    const starts: Record<string, Legs[]> = { hovered: [], tapped: [], "tapped, loaded ahead": [] };
    for (const [name, prefetch] of [
      ["tapped", undefined],
      ["tapped, loaded ahead", "idle"],
    ] as const) {
      await changeContext({ server: stage.server, context: "ctx_demo" }, ({ embed_config }) => {
        if (prefetch) embed_config["prefetch"] = prefetch;
        else delete embed_config["prefetch"];
      });
      for (let round = 0; round < rounds; round++) {
        starts[name]?.push(await oneStart(stage, "tapped", prefetch === "idle"));
        if (round % 2 === 0) starts["hovered"]?.push(await oneStart(stage, "hovered", prefetch === "idle"));
      }
    }
    const rows = Object.entries(starts);
    const faces = await localFaces(stage, rounds);
    return [
      {
        title: `Click to first avatar frame with ${rttMs} ms of round trip, ms (goal 500; a tap at most 60 more than a click)`,
        rows: rows.map(([name, list]) =>
          timesRow(
            name,
            list.map(({ click, frame }) => frame - click),
          ),
        ),
      },
      { title: "Its legs, medians in ms", rows: rows.map(([name, list]) => legsRow(name, list, rttMs)) },
      {
        title: `Click to the live face that the browser draws, with ${rttMs} ms of round trip (goal 120)`,
        rows: [timesRow("hovered until the character was loaded", faces)],
      },
    ];
  } finally {
    await stage.close();
  }
}
