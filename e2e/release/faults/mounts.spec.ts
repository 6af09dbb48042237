import { expect, test, type Page } from "../../support/test.ts";
import { livingElements } from "../../support/living-elements.ts";
import { allowSoftwareWebgl } from "../../support/software-webgl.ts";
import { useProxiedSite } from "../../support/served-site.ts";
import { liveSessions } from "../../support/service-api.ts";
import { avatar, launcher, startSession, untilState } from "../../support/widget.ts";

const served = useProxiedSite({ env: {} });

/** Resources that an element can leave behind in its page. */
interface Holdings {
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
    /** WebGL contexts of the page that still have their memory. */
    contextsInUse(): number;
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

const holdings = (page: Page): Promise<Holdings> => page.evaluate(() => window.holdings());

/** Mounts and removes elements one after the other. Each wait is the time in ms between start and removal; null: not started. */
async function mountAndRemove(page: Page, waitsMs: (number | null)[]): Promise<void> {
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
    { waits: waitsMs, context: served.context },
  );
}

test("a hundred elements mounted and removed, idle, waiting for the relay and while connecting, leave nothing", async ({
  page,
}) => {
  await recordHoldings(page);
  await page.goto(served.site.origin);
  // The first element loads the modules. What they keep for all elements is not a leak.
  await launcher(page).waitFor();
  await startSession(page);
  await untilState(page, "live");
  await avatar(page).evaluate((element) => element.remove());
  await mountAndRemove(page, [0]);
  let before = await holdings(page);
  await expect
    .poll(async () => {
      const last = JSON.stringify(before);
      before = await holdings(page);
      return { ...before, isSteady: JSON.stringify(before) === last };
    })
    .toMatchObject({ peerConnections: 0, tracks: 0, timers: 0, workers: 0, isSteady: true });

  await mountAndRemove(
    page,
    Array.from({ length: 60 }, () => null),
  );
  // The relay does not answer: the elements are removed while they wait for it.
  served.proxy.rule = ({ method }) => (method === "POST" ? { kind: "silence" } : undefined);
  await mountAndRemove(
    page,
    Array.from({ length: 25 }, (_, index) => index * 4),
  );
  served.proxy.rule = null;
  // Removed at any moment between the start and the live session.
  await mountAndRemove(
    page,
    Array.from({ length: 15 }, (_, index) => index * 40),
  );

  await expect.poll(() => holdings(page)).toEqual(before);
  expect(before).toMatchObject({ peerConnections: 0, tracks: 0, timers: 0, workers: 0 });
  await expect.poll(() => liveSessions(served.server)).toBe(0);
});

/** Notes the page's WebGL contexts, without keeping them alive. */
async function recordContexts(page: Page): Promise<void> {
  await page.addInitScript(allowSoftwareWebgl);
  await page.addInitScript(() => {
    const contexts: WeakRef<WebGL2RenderingContext>[] = [];
    const native = HTMLCanvasElement.prototype.getContext as (...given: unknown[]) => unknown;
    HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, ...given: unknown[]) {
      const context = native.apply(this, given);
      if (context instanceof WebGL2RenderingContext) contexts.push(new WeakRef(context));
      return context;
    } as never;
    window.contextsInUse = () => contexts.filter((each) => each.deref()?.isContextLost() === false).length;
  });
}

test("an element removed within half a second of its start leaves neither itself, nor a WebGL context, nor a session", async ({
  page,
}) => {
  await recordContexts(page);
  await page.goto(served.site.origin);
  await launcher(page).waitFor();
  // The element is removed before the widget is there. No handle of the test's own may keep it alive.
  await page.evaluate(() => {
    const element = document.querySelector("visavis-avatar")!;
    void element.start().catch(() => undefined);
    element.remove();
  });
  await page.waitForFunction(() => customElements.get("visavis-avatar") !== undefined);
  expect(await page.evaluate(() => new Promise((resolve) => setTimeout(() => resolve("still runs"))))).toBe(
    "still runs",
  );
  // The modules are loaded by the first one; the browser has the context by then.
  await mountAndRemove(page, [0, 20, 60, 60, 60, 120, 250, 400, 480]);
  const devtools = await page.context().newCDPSession(page);
  await expect.poll(() => livingElements(page, devtools)).toBe(0);
  await expect
    .poll(async () => {
      await devtools.send("HeapProfiler.collectGarbage");
      return page.evaluate(() => window.contextsInUse());
    })
    .toBe(0);
  await expect.poll(() => liveSessions(served.server)).toBe(0);
});
