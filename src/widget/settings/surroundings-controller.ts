import type { Size } from "../panel/layout.ts";

/** What the widget must know of its surroundings and is told again when it changes. */
export interface Surroundings {
  readonly viewport: Size;
  readonly box: Size;
  readonly systemDark: boolean;
  readonly reducedMotion: boolean;
  readonly touch: boolean;
}

/** Watches viewport, on-screen keyboard, the element's own size and the visitor's preferences. */
export class SurroundingsWatch {
  #element: HTMLElement;
  #changed: () => void;
  #queries = {
    systemDark: matchMedia("(prefers-color-scheme: dark)"),
    reducedMotion: matchMedia("(prefers-reduced-motion: reduce)"),
    touch: matchMedia("(hover: none)"),
  };
  /** Measured once and after each change: while a motion runs, every measurement would lay the whole page out anew. */
  #sizes: Pick<Surroundings, "viewport" | "box"> | null = null;
  readonly #handleResize = (): void => {
    this.#sizes = null;
    this.#changed();
  };
  #observer = new ResizeObserver(this.#handleResize);

  constructor(element: HTMLElement, changed: () => void) {
    this.#element = element;
    this.#changed = changed;
  }

  get now(): Surroundings {
    const { systemDark, reducedMotion, touch } = this.#queries;
    this.#sizes ??= {
      viewport: { width: innerWidth, height: viewportHeight() },
      box: { width: this.#element.offsetWidth, height: this.#element.offsetHeight },
    };
    return {
      ...this.#sizes,
      systemDark: systemDark.matches,
      reducedMotion: reducedMotion.matches,
      touch: touch.matches,
    };
  }

  start(): void {
    this.#observer.observe(this.#element);
    this.#sizes = null;
    addEventListener("resize", this.#handleResize);
    globalThis.visualViewport?.addEventListener("resize", this.#handleResize);
    for (const query of Object.values(this.#queries)) query.addEventListener("change", this.#changed);
  }

  stop(): void {
    this.#observer.disconnect();
    removeEventListener("resize", this.#handleResize);
    globalThis.visualViewport?.removeEventListener("resize", this.#handleResize);
    for (const query of Object.values(this.#queries)) query.removeEventListener("change", this.#changed);
  }
}

/** What an on-screen keyboard leaves of the height; pinch zoom makes the visual viewport smaller too, which is no reason. */
function viewportHeight(): number {
  const visual = globalThis.visualViewport;
  return visual && Math.abs(visual.scale - 1) < 0.01 ? Math.min(visual.height, innerHeight) : innerHeight;
}
