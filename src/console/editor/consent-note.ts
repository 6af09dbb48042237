import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { fieldId, textAt, type EditorView } from "./editor-view.ts";

const path = "embed_config.ui.consent_text";

/** Words by which a consent text says that nothing is kept, in the console's languages and German. */
const saysDeleted =
  /deleted when you leave|not (?:kept|stored)|gelöscht, (?:wenn|sobald)|저장하지 않|삭제됩니다/i;

/** Selects the words in their field, to be written over. */
function select({ index, 0: words }: RegExpExecArray): void {
  const field = document.getElementById(fieldId(path));
  if (!(field instanceof HTMLTextAreaElement)) return;
  field.focus();
  field.setSelectionRange(index, index + words.length);
}

/** A warning where the consent text says that nothing is kept, and something is. */
export function consentNote(view: EditorView): TemplateResult | typeof nothing {
  const { behaviour } = texts.editor;
  const days = view.state.value("embed_config.retention_days");
  const found = saysDeleted.exec(textAt(view, path));
  if (typeof days !== "number" || days <= 0 || !found) return nothing;
  return html`<div class="note" role="status">
    ${icon("alert")}
    <div>
      <b>${behaviour.untrue}</b>
      <p>${behaviour.untrueText(days)}</p>
    </div>
    <button class="btn sm" type="button" @click=${() => select(found)}>${behaviour.correct}</button>
  </div>`;
}
