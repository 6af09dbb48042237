import type { ReactiveController } from "lit";
import { focusMain } from "./focus.ts";
import type { PanelHost } from "./panel-host.ts";

/** Keeps the keyboard's focus in the panel while views replace each other. */
export class FocusController implements ReactiveController {
  #hadFocus = false;
  #wantsField = false;
  #wantsMain = false;
  readonly #host: PanelHost;

  constructor(host: PanelHost) {
    this.#host = host;
    host.addController(this);
  }

  /** Moves the focus into the text field as soon as it is there. */
  toField(): void {
    this.#wantsField = true;
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
    const field = this.#wantsField ? panel.querySelector("textarea") : null;
    if (field) {
      this.#wantsField = false;
      field.focus({ preventScroll: true });
      field.setSelectionRange(field.value.length, field.value.length);
    } else if (this.#hadFocus && (this.#wantsMain || !this.#active())) this.toMain(panel);
  }

  #active(): Element | null | undefined {
    return this.#host.shadowRoot?.activeElement;
  }
}
