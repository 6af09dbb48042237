import type { Page } from "@playwright/test";
import { expect } from "@playwright/test";
import { avatar, launcher, startSession, untilState } from "./widget.ts";
// Declares the list of elements that a test has made.
import type {} from "./living-elements.ts";

/** Resources that an element can leave behind in its page. */
export interface Holdings {
  peerConnections: number;
  tracks: number;
  timers: number;
  listeners: number;
  workers: number;
  audioContexts: number;
}

declare global {
  interface Window {
    holdings(): Holdings;
  }
}

/** Counts what the page's scripts acquire and release, from the first script on. */
async function recordHoldings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const connections: RTCPeerConnection[] = [];
    const NativeConnection = window.RTCPeerConnection;
    window.RTCPeerConnection = class extends NativeConnection {
      constructor(configuration?: RTCConfiguration) {
        super(configuration);
        connections.push(this);
      }
    };
    const contexts: AudioContext[] = [];
    const NativeContext = window.AudioContext;
    window.AudioContext = class extends NativeContext {
      constructor(options?: AudioContextOptions) {
        super(options);
        contexts.push(this);
      }
    };
    let workers = 0;
    const NativeWorker = window.Worker;
    window.Worker = class extends NativeWorker {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        workers += 1;
      }
      override terminate(): void {
        workers -= 1;
        super.terminate();
      }
    };
    const timers = new Set<number>();
    const { setTimeout: nativeTimeout, setInterval: nativeInterval } = window;
    window.setTimeout = ((job: TimerHandler, ms?: number, ...words: unknown[]) => {
      const id = nativeTimeout(() => {
        timers.delete(id);
        if (typeof job === "function") job(...words);
      }, ms);
      timers.add(id);
      return id;
    }) as typeof window.setTimeout;
    window.setInterval = ((job: TimerHandler, ms?: number, ...words: unknown[]) => {
      const id = nativeInterval(job, ms, ...words);
      timers.add(id);
      return id;
    }) as typeof window.setInterval;
    for (const name of ["clearTimeout", "clearInterval"] as const) {
      const native = window[name].bind(window);
      window[name] = (id) => {
        if (typeof id === "number") timers.delete(id);
        native(id);
      };
    }
    const listeners = new Map<EventTarget, Map<string, Map<unknown, AbortSignal | undefined>>>();
    const watched: EventTarget[] = [window, document];
    if (window.visualViewport) watched.push(window.visualViewport);
    const isPlainCall = (self: unknown): boolean => self === undefined;
    const add = EventTarget.prototype.addEventListener;
    const remove = EventTarget.prototype.removeEventListener;
    EventTarget.prototype.addEventListener = function (type, listener, options) {
      add.call(this, type, listener, options);
      // A call without a target is for the window.
      const target = isPlainCall(this) ? window : this;
      if (!watched.includes(target) || listener === null) return;
      const signal = typeof options === "object" ? options.signal : undefined;
      if (signal?.aborted) return;
      const byType = listeners.get(target) ?? new Map<string, Map<unknown, AbortSignal | undefined>>();
      listeners.set(target, byType);
      const held = byType.get(type) ?? new Map<unknown, AbortSignal | undefined>();
      byType.set(type, held.set(listener, signal));
      if (typeof options === "object" && options.once)
        add.call(target, type, () => held.delete(listener), { once: true });
    };
    EventTarget.prototype.removeEventListener = function (type, listener, options) {
      remove.call(this, type, listener, options);
      listeners
        .get(isPlainCall(this) ? window : this)
        ?.get(type)
        ?.delete(listener);
    };
    const countListeners = (): number =>
      [...listeners.values()]
        .flatMap((byType) => [...byType.values()])
        .flatMap((held) => [...held.values()])
        .filter((signal) => !signal?.aborted).length;
    const holdings = (): Holdings => ({
      peerConnections: connections.filter(({ signalingState }) => signalingState !== "closed").length,
      tracks: connections
        .flatMap((connection) => connection.getReceivers())
        .filter(({ track }) => track.readyState === "live").length,
      timers: timers.size,
      listeners: countListeners(),
      workers,
      audioContexts: contexts.filter(({ state }) => state !== "closed").length,
    });
    window.holdings = holdings;
  });
}

export const holdings = (page: Page): Promise<Holdings> => page.evaluate(() => window.holdings());

/** Mounts and removes elements one after the other. Each wait is the time in ms between start and removal; null: not started. */
export async function mountAndRemove(
  page: Page,
  contextId: string,
  waitsMs: (number | null)[],
): Promise<void> {
  await page.evaluate(
    async ({ waits, context }) => {
      for (const wait of waits) {
        const element = document.createElement("visavis-avatar");
        element.setAttribute("context-id", context);
        (window.madeElements ??= []).push(new WeakRef(element));
        document.body.append(element);
        if (wait !== null) {
          element.start().catch(() => undefined);
          await new Promise((resolve) => setTimeout(resolve, wait));
        } else await new Promise((resolve) => requestAnimationFrame(resolve));
        element.remove();
      }
    },
    { waits: waitsMs, context: contextId },
  );
}

/**
 * What a page holds after its first element has come and gone, when nothing changes any more: what the modules keep for all elements is
 * not a leak.
 */
export async function holdingsOfModules(page: Page, address: string, contextId: string): Promise<Holdings> {
  await recordHoldings(page);
  await page.goto(address);
  await launcher(page).waitFor();
  await startSession(page);
  await untilState(page, "live");
  await avatar(page).evaluate((element) => element.remove());
  await mountAndRemove(page, contextId, [0]);
  let before = await holdings(page);
  await expect
    .poll(async () => {
      const last = JSON.stringify(before);
      before = await holdings(page);
      return { ...before, isSteady: JSON.stringify(before) === last };
    })
    .toMatchObject({ peerConnections: 0, tracks: 0, timers: 0, workers: 0, isSteady: true });
  return before;
}
