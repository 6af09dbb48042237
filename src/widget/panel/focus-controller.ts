import { focusMain } from "./focus.ts";

/** Where the focus goes as the panel changes: nobody who uses the keyboard is left outside of it. */
export class PanelFocus {
  #had = false;
  #wantsField = false;
  #wantsMain = false;

  /** The text field is to have the focus as soon as it is there. */
  wantField(): void {
    this.#wantsField = true;
  }

  /** Moves the focus to the main action, now or as soon as there is one. */
  toMain(shell: ParentNode): void {
    this.#wantsMain = !focusMain(shell);
  }

  /** Notes, before the panel is drawn anew, whether it has the focus. */
  note(active: Element | null | undefined): void {
    this.#had = active?.closest(".vv-shell") != null;
  }

  /** The main action has the focus as soon as it is there, and after a view has replaced what had it. */
  follow(panel: ParentNode, active: Element | null | undefined): void {
    const field = this.#wantsField ? panel.querySelector("textarea") : null;
    if (field) {
      this.#wantsField = false;
      field.focus({ preventScroll: true });
      field.setSelectionRange(field.value.length, field.value.length);
    } else if (this.#had && (this.#wantsMain || !active)) this.toMain(panel);
  }
}
