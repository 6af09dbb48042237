import type { ReactiveController, ReactiveControllerHost } from "lit";
import type { TextKey } from "../texts/texts.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import { badgeOf } from "./badge-of.ts";
import type { View } from "./view.ts";

const settleMs = 1_000;
const announced: ReadonlySet<TextKey> = new Set([
  "connecting",
  "offline",
  "ready",
  "listening",
  "reconnecting",
  "link_poor",
  "link_lost",
]);

/** The state for screen readers: announced after it has lasted a second. Thinking and speaking are heard anyway. */
export class StatusController implements ReactiveController {
  text: TextKey | null = null;
  #next: TextKey | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #host: ReactiveControllerHost;

  constructor(host: ReactiveControllerHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Takes the state that is shown now. */
  update(session: SessionSnapshot, view: View): void {
    const badge = badgeOf(session, view);
    const text = badge.kind === "status" && announced.has(badge.text) ? badge.text : null;
    if (text === this.#next) return;
    this.#next = text;
    clearTimeout(this.#timer);
    if (!text) return;
    this.#timer = setTimeout(() => {
      this.text = text;
      this.#host.requestUpdate();
    }, settleMs);
  }

  hostDisconnected(): void {
    clearTimeout(this.#timer);
    this.#next = null;
  }
}
