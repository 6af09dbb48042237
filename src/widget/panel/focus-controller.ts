import type { ReactiveController } from "lit";
import type { PanelHost } from "./panel-host.ts";

/**
 * Moves the focus to the main action that is shown, else to the first control, else to the panel itself. Returns
 * whether there was a main action.
 */
function focusMain(shell: ParentNode): boolean {
  const find = (selector: string) => shell.querySelector<HTMLElement>(selector);
  const main = find("[data-main]:not([hidden])");
  const target =
    main ??
    find(".vv-shell button:not([hidden])") ??
    (shell instanceof HTMLElement && shell.hasAttribute("tabindex") ? shell : null);
  target?.focus({ preventScroll: true });
  return main !== null;
}

/** Keeps the keyboard's focus in the panel while views replace each other. */
export class FocusController implements ReactiveController {
  #hadFocus = false;
  /** What gets the focus as soon as it is there. */
  #wanted = "";
  #wantsMain = false;
  readonly #host: PanelHost;

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Moves the focus to what the visitor has just asked for, as soon as it is there. `selector` names it. */
  toNext(selector: string): void {
    this.#wanted = selector;
  }

  /** Moves the focus to the main action, now or as soon as there is one. */
  toMain(panel: ParentNode): void {
    this.#wantsMain = !focusMain(panel);
  }

  hostUpdate(): void {
    this.#hadFocus = this.#host.isConnected && this.#active()?.closest(".vv-shell") != null;
  }

  hostUpdated(): void {
    const panel = this.#host.renderRoot;
    const next = this.#wanted ? panel.querySelector<HTMLElement>(this.#wanted) : null;
    if (next) {
      this.#wanted = "";
      next.focus({ preventScroll: true });
      if (next instanceof HTMLTextAreaElement) next.setSelectionRange(next.value.length, next.value.length);
    } else if (this.#hadFocus && (this.#wantsMain || !this.#active())) this.toMain(panel);
  }

  #active(): Element | null | undefined {
    return this.#host.shadowRoot?.activeElement;
  }
}
