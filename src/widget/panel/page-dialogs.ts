import type { ReactiveController } from "lit";
import type { PanelHost } from "./panel-host.ts";

/** What libraries set on all children of `body` when their dialog opens. */
const hidings = ["inert", "aria-hidden"] as const;

/** What focus traps look at and nothing of the avatar's listens to. */
const unheard = ["focusin", "mousedown", "touchstart"] as const;

/** What moving the focus causes. */
const focusEvents = ["focusin", "focusout", "focus", "blur"] as const;

const known = new WeakSet<PanelHost>();

/** Keeps an avatar that floats on the page usable beside the page's dialogs. Can be called again. */
export function stayBesideDialogs(host: PanelHost): void {
  if (known.has(host)) return;
  known.add(host);
  host.addController(new PageDialogs(host));
}

/**
 * The libraries of dialogs make the rest of the page inert, pull the focus back, and swallow clicks and keys elsewhere. They mean the page
 * behind the dialog: an avatar floats above it. Their listeners are on `document` mostly, so that those on `window` come first.
 */
class PageDialogs implements ReactiveController {
  readonly #host: PanelHost;
  #listening = new AbortController();
  #frame = 0;
  /** The focus is being moved, and no listener of the page's is told. */
  #isMovingFocus = false;
  /** The field that the pointer has gone down on. */
  #field: HTMLElement | null = null;
  #clickArrived = false;
  readonly #observer = new MutationObserver(() => {
    cancelAnimationFrame(this.#frame);
    // Not at once: a page that insists would never come to rest.
    this.#frame = requestAnimationFrame(() => this.#show());
  });

  constructor(host: PanelHost) {
    this.#host = host;
  }

  hostConnected(): void {
    const { signal } = (this.#listening = new AbortController());
    const listen = (types: readonly string[], handle: (event: Event) => void) => {
      for (const type of types) addEventListener(type, handle, { capture: true, signal });
    };
    listen(unheard, (event) => this.#isOurs(event) && event.stopImmediatePropagation());
    listen(focusEvents, (event) => this.#isMovingFocus && event.stopImmediatePropagation());
    listen(["pointerdown"], (event) => this.#isOurs(event) && this.#handlePointer(event));
    listen(["click"], (event) => this.#isOurs(event) && this.#handleClick(event));
    listen(["keydown"], (event) => {
      if (event instanceof KeyboardEvent && this.#isOurs(event)) this.#handleKey(event);
    });
    const handleArrival = () => (this.#clickArrived = true);
    this.#host.addEventListener("click", handleArrival, { capture: true, signal });
    this.#observer.observe(this.#host, { attributeFilter: [...hidings] });
    this.#show();
  }

  hostDisconnected(): void {
    this.#listening.abort();
    this.#observer.disconnect();
    cancelAnimationFrame(this.#frame);
  }

  /** One that stands in the page, or in the dialog, is a part of it. */
  get #floats(): boolean {
    const { floating, leaves } = this.#host.model?.traits ?? {};
    return floating === true || leaves === true;
  }

  #isOurs({ target }: Event): boolean {
    return target === this.#host && this.#floats;
  }

  /** An avatar that was hidden alone was meant itself, and stays so. */
  #show(): void {
    if (!this.#floats) return;
    const siblings = [...(this.#host.parentElement?.children ?? [])].filter((child) => child !== this.#host);
    for (const name of hidings)
      if (siblings.some((child) => child.hasAttribute(name))) this.#host.removeAttribute(name);
  }

  #handlePointer(event: Event): void {
    const [target] = event.composedPath();
    this.#field = target instanceof HTMLElement ? target.closest("textarea, input, select") : null;
  }

  #handleClick(event: Event): void {
    const field = this.#field;
    this.#field = null;
    if (field && field !== this.#host.shadowRoot?.activeElement) {
      this.#isMovingFocus = true;
      field.focus({ preventScroll: true });
      this.#isMovingFocus = false;
    }
    const [target] = event.composedPath();
    this.#clickArrived = false;
    setTimeout(() => {
      if (!this.#clickArrived && target) clickAgain(target, event);
    });
  }

  /** Tab stays the browser's, and Escape closes what the visitor is in, not the dialog beside it. */
  #handleKey(event: KeyboardEvent): void {
    const { key, code, shiftKey, isComposing } = event;
    const [target] = event.composedPath();
    if ((key !== "Tab" && key !== "Escape") || !target) return;
    event.stopImmediatePropagation();
    const copy = { key, code, shiftKey, isComposing, bubbles: true, cancelable: true };
    if (!target.dispatchEvent(new KeyboardEvent("keydown", copy))) event.preventDefault();
  }
}

/** Repeats a click that the page has stopped, without what the browser has done for it already. */
function clickAgain(target: EventTarget, { defaultPrevented }: Event): void {
  const done = new AbortController();
  const root = target instanceof Node ? target.getRootNode() : target;
  if (!defaultPrevented)
    root.addEventListener("click", (event) => event.preventDefault(), { signal: done.signal });
  target.dispatchEvent(new MouseEvent("click", { bubbles: true, cancelable: true, detail: 1 }));
  done.abort();
}
