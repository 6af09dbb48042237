import type { Size } from "./layout.ts";

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
  #observer = new ResizeObserver(() => {
    this.#changed();
  });

  constructor(element: HTMLElement, changed: () => void) {
    this.#element = element;
    this.#changed = changed;
  }

  get now(): Surroundings {
    const { systemDark, reducedMotion, touch } = this.#queries;
    return {
      // The visual viewport is what an on-screen keyboard leaves; pinch zoom makes it smaller too, which is no reason.
      viewport: { width: innerWidth, height: this.#keyboardHeight() },
      box: { width: this.#element.offsetWidth, height: this.#element.offsetHeight },
      systemDark: systemDark.matches,
      reducedMotion: reducedMotion.matches,
      touch: touch.matches,
    };
  }

  start(): void {
    this.#observer.observe(this.#element);
    addEventListener("resize", this.#changed);
    globalThis.visualViewport?.addEventListener("resize", this.#changed);
    for (const query of Object.values(this.#queries)) query.addEventListener("change", this.#changed);
  }

  stop(): void {
    this.#observer.disconnect();
    removeEventListener("resize", this.#changed);
    globalThis.visualViewport?.removeEventListener("resize", this.#changed);
    for (const query of Object.values(this.#queries)) query.removeEventListener("change", this.#changed);
  }

  #keyboardHeight(): number {
    const visual = globalThis.visualViewport;
    return visual && Math.abs(visual.scale - 1) < 0.01 ? Math.min(visual.height, innerHeight) : innerHeight;
  }
}
