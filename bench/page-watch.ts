import type { Page } from "@playwright/test";

/** What was recorded in a page since the last look at shifts and tasks, and since its load for the rest. */
export interface PageRecords {
  /** Sum of the layout shifts that no gesture of the visitor explains (CLS). */
  shift: number;
  /** 0 if no task took 50 ms. */
  longestTaskMs: number;
  /** Time for upload and drawing of each shown frame. */
  frameCostsMs: number[];
  /** The name of the WebGL renderer; empty without WebGL, where a 2D canvas shows the picture. */
  renderer: string;
  /** WebGL contexts and peer connections that have not been closed. */
  contexts: number;
  connections: number;
}

declare global {
  interface Window {
    /** Set by `watchPage`. */
    takeRecords(): PageRecords;
  }
}

/** Runs in the page before its scripts. */
export function watchPage(): void {
  const records = { shift: 0, longestTaskMs: 0, frameCostsMs: [] as number[], renderer: "" };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & {
      value: number;
      hadRecentInput: boolean;
    })[])
      if (!entry.hadRecentInput) records.shift += entry.value;
  }).observe({ type: "layout-shift", buffered: true });
  // The browser opens the page and runs this function in one task, before any script of the page.
  const watchedFromMs = performance.now();
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      if (startTime >= watchedFromMs) records.longestTaskMs = Math.max(records.longestTaskMs, duration);
  }).observe({ type: "longtask", buffered: true });

  const contexts = new Set<WeakRef<WebGL2RenderingContext>>();
  const video = HTMLVideoElement.prototype;
  const watch = video.requestVideoFrameCallback;
  video.requestVideoFrameCallback = function (handle) {
    return watch.call(this, (...given) => {
      const startMs = performance.now();
      handle(...given);
      records.frameCostsMs.push(performance.now() - startMs);
    });
  };
  const getContext = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
  HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
    const context = getContext.apply(this, given);
    if (context instanceof WebGL2RenderingContext) {
      contexts.add(new WeakRef(context));
      const info = context.getExtension("WEBGL_debug_renderer_info");
      if (info) records.renderer = String(context.getParameter(info.UNMASKED_RENDERER_WEBGL));
    }
    return context;
  } as never;

  const connections = new Set<WeakRef<RTCPeerConnection>>();
  const Native = window.RTCPeerConnection;
  window.RTCPeerConnection = class extends Native {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.add(new WeakRef(this));
    }
  };
  window.takeRecords = () => {
    const taken = {
      ...records,
      contexts: [...contexts].filter((each) => each.deref()?.isContextLost() === false).length,
      connections: [...connections].filter((each) => (each.deref()?.signalingState ?? "closed") !== "closed")
        .length,
    };
    records.shift = records.longestTaskMs = 0;
    return taken;
  };
}

/** What `watchPage` has recorded. */
export function pageRecords(page: Page): Promise<PageRecords> {
  return page.evaluate(() => window.takeRecords());
}
