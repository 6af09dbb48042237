import type { ReactiveController, ReactiveControllerHost } from "lit";

/**
 * Does something again and again while its host is in the page and the page is visible. The next time begins when the last one has
 * ended.
 */
export class Polling implements ReactiveController {
  readonly #act: () => Promise<void>;
  readonly #intervalMs: () => number | null;
  #isConnected = false;
  #isActing = false;
  #waiting: { readonly ms: number; readonly timer: ReturnType<typeof setTimeout> } | null = null;

  /** `intervalMs` is asked after each update of the host; another answer begins the wait again. Null: not now. */
  constructor(host: ReactiveControllerHost, act: () => Promise<void>, intervalMs: () => number | null) {
    this.#act = act;
    this.#intervalMs = intervalMs;
    host.addController(this);
  }

  hostConnected(): void {
    this.#isConnected = true;
  }

  hostDisconnected(): void {
    this.#isConnected = false;
    this.#stopWaiting();
  }

  hostUpdated(): void {
    if (this.#isActing || !this.#isConnected) return;
    const ms = this.#intervalMs();
    if (ms === this.#waiting?.ms) return;
    this.#stopWaiting();
    if (ms !== null) this.#waiting = { ms, timer: setTimeout(() => void this.#tick(), ms) };
  }

  #stopWaiting(): void {
    if (this.#waiting) clearTimeout(this.#waiting.timer);
    this.#waiting = null;
  }

  async #tick(): Promise<void> {
    this.#waiting = null;
    this.#isActing = true;
    try {
      if (!document.hidden) await this.#act();
    } finally {
      this.#isActing = false;
    }
    this.hostUpdated();
  }
}
