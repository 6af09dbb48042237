/** The whole console in a window without a browser, on the real service, without ports. */
import { expect, onTestFinished, vi } from "vitest";
import { ConsoleApplication } from "../../src/console/shell/console-application.ts";
import { loadTexts } from "../../src/console/texts/texts.ts";
import { origin, owner, runConsole, type Browser } from "../service/http/console/console-fixture.ts";
import type { RunningService } from "../service/service-fixture.ts";
import { see } from "./finding.ts";

// Files that share a process share the window.
if (!customElements.get("visavis-console")) customElements.define("visavis-console", ConsoleApplication);

/** What answers in place of the service; undefined: the service does. */
type Instead = (request: {
  method: string;
  path: string;
}) => Response | Promise<Response | undefined> | undefined;

interface Options {
  /** Default: a new service. */
  run?: RunningService;
  /** The browser of somebody who is signed in; null: nobody is. Default: the first owner's. */
  browser?: Pick<Browser, "cookie"> | null;
}

export interface Stand {
  readonly run: RunningService;
  /** What the page has asked the server for, as `PUT /api/console/quotas/`. */
  readonly requests: string[];
  /** The browser's cookies; empty: none. A test may take them away. */
  cookie: string;
  instead: Instead | null;
  /** Goes to another page, or with the same path loads the page anew. */
  go(path: string): void;
  /** Loads the console again, as a browser does. */
  reload(): void;
}

/** What the page sends through Node's `fetch` goes to the service, with what a browser adds. */
function connect(stand: Stand): void {
  const faults: unknown[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit = {}) => {
    const { pathname, search } = new URL(address, origin);
    const { method = "GET" } = init;
    stand.requests.push(`${method} ${pathname}`);
    const answered = await stand.instead?.({ method, path: pathname + search });
    if (answered) return answered;
    const headers = new Headers(init.headers);
    headers.set("Origin", origin);
    if (stand.cookie !== "") headers.set("Cookie", stand.cookie);
    const answer = await stand.run
      .request(pathname + search, { ...init, headers })
      .catch((fault: unknown) => {
        // The page would take it for a network that is down.
        if (!init.signal?.aborted) faults.push(fault);
        throw fault;
      });
    const [set] = answer.headers.getSetCookie();
    if (set !== undefined) stand.cookie = /max-age=0/i.test(set) ? "" : (set.split(";")[0] ?? "");
    return answer;
  });
  vi.stubGlobal("EventSource", ServiceStream);
  onTestFinished(() => expect(faults).toEqual([]));
}

/** A stream of the service, as browsers read it. One that the service refuses is closed. */
class ServiceStream {
  static readonly CLOSED = 2;
  readyState = 0;
  readonly #ends = new AbortController();
  readonly #listeners: { type: string; hear: (event: { data: string }) => void }[] = [];

  constructor(address: string) {
    void this.#read(address).catch(() => undefined);
  }

  addEventListener(type: string, hear: (event: { data: string }) => void): void {
    this.#listeners.push({ type, hear });
  }

  close(): void {
    this.readyState = ServiceStream.CLOSED;
    this.#ends.abort();
  }

  #tell(type: string, data = ""): void {
    for (const listener of this.#listeners) if (listener.type === type) listener.hear({ data });
  }

  async #read(address: string): Promise<void> {
    const { signal } = this.#ends;
    const answer = await fetch(new URL(address, origin).href, { signal });
    if (!answer.ok || !answer.body) {
      this.readyState = ServiceStream.CLOSED;
      this.#tell("error");
      return;
    }
    this.#tell("open");
    const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    signal.addEventListener("abort", () => void reader.cancel().catch(() => undefined));
    for (let rest = ""; ;) {
      const { done, value } = await reader.read();
      if (done) return;
      const lines = (rest + value).split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) if (line.startsWith("data:")) this.#tell("message", line.slice(5));
    }
  }
}

/** Takes the console that is shown away, with the listeners that it leaves in the window: a real one ends with its window. */
let leave = (): void => undefined;

function show(): void {
  leave();
  const listen = vi.spyOn(globalThis, "addEventListener");
  const application = new ConsoleApplication();
  leave = () => {
    application.remove();
    for (const [type, listener] of listen.mock.calls) removeEventListener(type, listener as EventListener);
    listen.mockRestore();
    leave = () => undefined;
  };
  document.body.append(application);
}

/** Opens a page of the console, or another path of its own, and waits until it has a heading. */
export async function openConsole(path: string, options: Options = {}): Promise<Stand> {
  const run = options.run ?? (await runConsole());
  const browser = options.browser === undefined ? await owner(run) : options.browser;
  const stand: Stand = {
    run,
    requests: [],
    cookie: browser?.cookie ?? "",
    instead: null,
    go: (to) => void (location.hash = `#${to}`),
    reload: show,
  };
  connect(stand);
  onTestFinished(() => {
    leave();
    localStorage.clear();
    sessionStorage.clear();
    vi.unstubAllGlobals();
  });
  await loadTexts();
  history.replaceState(null, "", path.startsWith("/console/") ? path : `/console/#${path}`);
  show();
  await see("heading", /./);
  return stand;
}

/** Holds the page's timers of this length. Returns what lets them end. */
export function holdTimers(lengthMs: number): () => void {
  const held: { act: () => void; isOnce: boolean }[] = [];
  for (const name of ["setTimeout", "setInterval"] as const) {
    const start = globalThis[name] as (...given: unknown[]) => unknown;
    const timer = (act: () => void, ms?: number, ...given: unknown[]): unknown =>
      ms === lengthMs ? held.push({ act, isOnce: name === "setTimeout" }) : start(act, ms, ...given);
    vi.stubGlobal(name, Object.assign(timer, start));
  }
  return () => {
    const due = held.splice(0);
    held.push(...due.filter(({ isOnce }) => !isOnce));
    for (const { act } of due) act();
  };
}
