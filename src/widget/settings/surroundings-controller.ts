import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { Box, Size } from "../panel/layout.ts";

/** What the widget needs to know of the page and of the visitor's preferences. Sizes in CSS pixels. */
export interface Surroundings {
  readonly viewport: Size;
  readonly box: Box;
  readonly reducedMotion: boolean;
  readonly touch: boolean;
  /** The browser has no network. */
  readonly offline: boolean;
}

const networkEvents = ["online", "offline"] as const;

/** Watches viewport, network, on-screen keyboard, the element's own size and the visitor's preferences. */
export class SurroundingsController implements ReactiveController {
  /** The visitor has chosen less motion here. */
  reduceMotion = false;
  readonly #host: ReactiveControllerHost & HTMLElement;
  readonly #queries = {
    reducedMotion: matchMedia("(prefers-reduced-motion: reduce)"),
    touch: matchMedia("(hover: none)"),
  };
  /** Measured once after each change: measuring during an animation would lay out the whole page for each frame. */
  #sizes: Pick<Surroundings, "viewport" | "box"> | null = null;
  readonly #handleResize = (): void => {
    this.#sizes = null;
    this.#host.requestUpdate();
  };
  readonly #handlePreference = (): void => {
    this.#host.requestUpdate();
  };
  readonly #observer = new ResizeObserver(this.#handleResize);
  #watching: AbortController | null = null;
  constructor(host: ReactiveControllerHost & HTMLElement) {
    this.#host = host;
    host.addController(this);
  }

  get now(): Surroundings {
    const { reducedMotion, touch } = this.#queries;
    return {
      ...(this.#sizes ??= this.#measure()),
      reducedMotion: this.reduceMotion || reducedMotion.matches,
      touch: touch.matches,
      offline: !navigator.onLine,
    };
  }

  #measure(): Pick<Surroundings, "viewport" | "box"> {
    // The page's own `zoom` makes the element's pixels larger than those of the window.
    const zoom = "currentCSSZoom" in this.#host ? this.#host.currentCSSZoom : 1;
    return {
      viewport: { width: innerWidth / zoom, height: viewportHeight() / zoom },
      box: {
        width: this.#host.offsetWidth,
        height: this.#host.offsetHeight,
        fontSize: parseFloat(getComputedStyle(this.#host).fontSize),
      },
    };
  }

  hostConnected(): void {
    const { signal } = (this.#watching = new AbortController());
    const watch = (target: EventTarget | null | undefined, type: string, handle: () => void): void =>
      target?.addEventListener(type, handle, { signal });
    this.#observer.observe(this.#host);
    watch(self, "resize", this.#handleResize);
    watch(globalThis.visualViewport, "resize", this.#handleResize);
    for (const type of networkEvents) watch(self, type, this.#handlePreference);
    for (const query of Object.values(this.#queries)) watch(query, "change", this.#handlePreference);
    this.#handleResize();
  }

  hostDisconnected(): void {
    this.#observer.disconnect();
    this.#watching?.abort();
  }
}

/** The height that an on-screen keyboard leaves. Pinch zoom makes the visual viewport smaller too, and is ignored. */
function viewportHeight(): number {
  const visual = globalThis.visualViewport;
  return visual && Math.abs(visual.scale - 1) < 0.01 ? Math.min(visual.height, innerHeight) : innerHeight;
}
