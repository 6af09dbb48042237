import type { ReactiveController } from "lit";
import type { AvatarSession } from "../../client/index.ts";
import type { PanelHost } from "./panel-host.ts";

/** Signs of the visitor count at most once in this time, in ms. */
const signEveryMs = 1_000;

/** The video goes on a little before the panel is scrolled into view, so that it moves when it is seen. */
const nearby = { rootMargin: "240px" };

const signs = ["pointerdown", "pointermove", "wheel", "keydown", "touchmove"] as const;

/** What is typed and scrolled in the panel: the page's shortcuts, focus traps and scroll locks do not get it. */
const ownEvents = ["keydown", "keypress", "keyup", "focusin", "wheel", "touchstart", "touchmove"] as const;

/** `--visavis-z` as the style sheets set it. */
const usualPlace = "2147483000";

/** Above everything that the page has, as the loader does, also after a move; not where the page has given it a place. */
function toTopLayer(host: HTMLElement): void {
  const place = getComputedStyle(host).getPropertyValue("--visavis-z").trim();
  if (place !== usualPlace || !("popover" in host) || !host.isConnected || host.matches(":popover-open"))
    return;
  host.popover = "manual";
  host.showPopover();
}

function keepInside(event: Event): void {
  event.stopPropagation();
}

/** Tells the session whether its panel can be seen, and when the visitor does something in it. */
export class AttendanceController implements ReactiveController {
  readonly #host: PanelHost;
  #session: AvatarSession | null = null;
  /** The visitor is asked whether they are still there. */
  #isAsked = false;
  #observed: Element | null = null;
  #isOpen = false;
  /** Not known yet until the browser has looked. */
  #intersects = true;
  #signAtMs = -Infinity;
  readonly #observer = new IntersectionObserver((entries) => {
    this.#intersects = entries.at(-1)?.isIntersecting === true;
    this.#tell();
  }, nearby);

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Takes what is shown now. */
  update(session: AvatarSession | null, isAsked: boolean): void {
    this.#session = session;
    this.#isAsked = isAsked;
  }

  hostConnected(): void {
    for (const type of signs)
      this.#host.addEventListener(type, this.#handleSign, { capture: true, passive: true });
    for (const type of ownEvents) this.#host.addEventListener(type, keepInside, { passive: true });
  }

  hostUpdated(): void {
    // An update may come after the removal.
    if (!this.#host.isConnected) return;
    if (this.#host.model?.traits.floating) toTopLayer(this.#host);
    const shell = this.#host.renderRoot.querySelector(".vv-shell");
    const wasOpen = this.#isOpen;
    this.#isOpen = this.#host.hasAttribute("open");
    // What was closed was out of sight. When it opens, the browser has to look again.
    if (shell !== this.#observed || (this.#isOpen && !wasOpen)) {
      this.#observer.disconnect();
      this.#observed = shell;
      this.#intersects = true;
      if (shell) this.#observer.observe(shell);
    }
    this.#tell();
  }

  hostDisconnected(): void {
    for (const type of signs) this.#host.removeEventListener(type, this.#handleSign, { capture: true });
    for (const type of ownEvents) this.#host.removeEventListener(type, keepInside);
    this.#observer.disconnect();
    this.#observed = null;
  }

  /** A panel that floats is out of sight as soon as it begins to close. */
  #tell(): void {
    const { floating } = this.#host.model?.traits ?? {};
    this.#session?.setInView(this.#intersects && (!floating || this.#host.hasAttribute("open")));
  }

  readonly #handleSign = (event: Event): void => {
    const nowMs = performance.now();
    if (nowMs - this.#signAtMs < signEveryMs || this.#isAccident(event)) return;
    this.#signAtMs = nowMs;
    this.#session?.stay();
  };

  /** While the visitor is asked, a pointer that passes by is no answer; the button answers by itself. */
  #isAccident(event: Event): boolean {
    if (!this.#isAsked) return false;
    const isButton = event
      .composedPath()
      .some((target) => target instanceof Element && target.matches(".vv-asked"));
    return event.type === "pointermove" || isButton;
  }
}
