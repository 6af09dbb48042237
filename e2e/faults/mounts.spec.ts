import { expect, test, type Page } from "@playwright/test";
import { hostPage, startHostSite, type HostSite } from "../support/host-page.ts";
import { startFaultProxy, type FaultProxy } from "../support/fault-proxy.ts";
import { startServer, type Server } from "../support/stack.ts";
import { callApi, snippet, untilState } from "../support/widget.ts";

let server: Server;
let proxy: FaultProxy;
let site: HostSite;

test.beforeAll(async () => {
  server = await startServer();
  proxy = await startFaultProxy(server.origin);
  site = await startHostSite({ "/": hostPage(snippet(proxy.origin)) }, { relayOrigin: proxy.origin });
});

test.afterAll(async () => {
  await site.close();
  await proxy.close();
  await server.stop();
});

/** What a page holds that outlives an element if nobody takes it away. */
interface Holdings {
  peerConnections: number;
  tracks: number;
  timers: number;
  listeners: number;
  workers: number;
  audioContexts: number;
}

/** Counts what the page's scripts take and give back, from its first script on. */
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
      // Called as a plain function it means the window.
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
    Object.assign(window, { holdings });
  });
}

const holdings = (page: Page): Promise<Holdings> =>
  page.evaluate(() => (window as unknown as { holdings(): Holdings }).holdings());

/** Mounts and removes elements one after the other; each of the waits is how long one lives after its start was asked for. */
async function mountAndRemove(page: Page, waitsMs: (number | null)[]): Promise<void> {
  await page.evaluate(async (waits) => {
    for (const wait of waits) {
      const element = document.createElement("visavis-avatar") as HTMLElement & { start(): Promise<void> };
      element.setAttribute("context-id", "ctx_demo");
      document.body.append(element);
      if (wait !== null) {
        element.start().catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, wait));
      } else await new Promise((resolve) => requestAnimationFrame(resolve));
      element.remove();
    }
  }, waitsMs);
}

/** Live sessions by the service's own count. */
async function liveSessions(): Promise<number> {
  const text = await (await callApi(server, "/metrics")).text();
  return [...text.matchAll(/^visavis_sessions\{[^}]*\} (\d+)$/gm)]
    .map((match) => Number(match[1]))
    .reduce((total, count) => total + count, 0);
}

test("a hundred elements mounted and removed, idle, waiting for the relay and while connecting, leave nothing", async ({
  page,
}) => {
  test.setTimeout(120_000);
  await recordHoldings(page);
  await page.goto(site.origin);
  // The first one of its kind loads the modules; what they hold once and for all is no leak.
  await page.locator("visavis-avatar [part~=launcher-button]").waitFor();
  await page
    .locator("visavis-avatar")
    .evaluate((element) => (element as HTMLElement & { start(): Promise<void> }).start());
  await untilState(page, "live");
  await page.locator("visavis-avatar").evaluate((element) => element.remove());
  await mountAndRemove(page, [0]);
  await expect
    .poll(() => holdings(page))
    .toMatchObject({ peerConnections: 0, tracks: 0, timers: 0, workers: 0 });
  const before = await holdings(page);

  await mountAndRemove(
    page,
    Array.from({ length: 60 }, () => null),
  );
  // The relay does not answer: they are removed while they wait for it.
  proxy.rule = ({ method }) => (method === "POST" ? { kind: "silence" } : undefined);
  await mountAndRemove(
    page,
    Array.from({ length: 25 }, (_, index) => index * 4),
  );
  proxy.rule = null;
  // And at any moment from the click to the live session.
  await mountAndRemove(
    page,
    Array.from({ length: 15 }, (_, index) => index * 40),
  );

  await expect.poll(() => holdings(page), { timeout: 30_000 }).toEqual(before);
  expect(before).toMatchObject({ peerConnections: 0, tracks: 0, timers: 0, workers: 0 });
  await expect.poll(liveSessions, { timeout: 30_000 }).toBe(0);
});
