import { html, nothing, type TemplateResult } from "lit";
import { momentWithin } from "../format.ts";
import { errorText } from "../parts/error-text.ts";
import { texts } from "../texts/texts.ts";
import type { EditorState } from "./editor-state.ts";
import { fieldAt } from "./form-fields.ts";

interface Notices {
  state: EditorState;
  mayEdit: boolean;
  /** Goes to the field that a path belongs to. */
  show: (path: string) => void;
  discard: () => void;
}

/** What stands above the form: why it was not saved, what is wrong with it, or where it comes from. */
export function editorNotices({ state, mayEdit, show, discard }: Notices): TemplateResult | typeof nothing {
  const faulty = [...state.faults.keys(), ...state.refused.keys()];
  const [first] = faulty;
  const showFirst =
    first === undefined
      ? nothing
      : html`<button class="btn sm" type="button" @click=${() => show(first)}>
          ${texts.editor.showFault}
        </button>`;
  if (state.failure !== null)
    return html`<div class="note bad spaced" role="alert">
      <span>${texts.editor.failed(errorText(state.failure))}</span>
      ${showFirst}
    </div>`;
  if (first !== undefined) {
    const fields = new Set(faulty.map((path) => fieldAt(path)?.path ?? path));
    return html`<div class="note bad spaced" role="status">
      <span>${texts.editor.hasFaults(fields.size)}</span>
      ${showFirst}
    </div>`;
  }
  if (!mayEdit) return html`<div class="note onsheet spaced">${texts.editor.readOnly}</div>`;
  if (state.resumedFrom === null) return nothing;
  return html`<div class="note onsheet spaced" role="status">
    <span>${texts.editor.resumed(momentWithin(state.resumedFrom))}</span>
    <button class="btn sm" type="button" @click=${discard}>${texts.editor.discard}</button>
  </div>`;
}
