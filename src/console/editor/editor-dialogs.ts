import { html, nothing, type TemplateResult } from "lit";
import type { ContextVersion } from "../../protocol/console/avatars.ts";
import { moment, momentWithin } from "../format.ts";
import { modal } from "../parts/dialog.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { type EditorState, settingsOf } from "./editor-state.ts";
import { fieldAt } from "./fields/form-fields.ts";
import { wordsOf } from "./fields/field-views.ts";
import { changedPaths } from "./settings-path.ts";
import { errorText } from "../parts/error-text.ts";

/** The names of settings, as a list in a sentence. */
function settingNames(paths: readonly string[]): string {
  const names = paths.map((path) => {
    const field = fieldAt(path);
    return field ? wordsOf(field.path).label : path;
  });
  return [...new Set(names)].join(", ");
}

interface Leave {
  name: string;
  changes: readonly string[];
  onDiscard: () => void;
  onStay: () => void;
  onSave: () => void;
}

/** Asks before a page with unsaved changes is left. */
export function leaveDialog({ name, changes, onDiscard, onStay, onSave }: Leave): TemplateResult {
  /* eslint-disable lit-a11y/no-autofocus -- A dialog takes the focus in any case: it goes where a key pressed too fast loses nothing. */
  return modal({
    title: texts.editor.leaveTitle(name),
    onClose: onStay,
    content: html`<p>${texts.editor.leaveText(settingNames(changes))}</p>
      <div class="acts">
        <button class="btn del first" type="button" @click=${onDiscard}>${texts.editor.discard}</button>
        <button class="btn" type="button" autofocus @click=${onStay}>${texts.editor.leaveStay}</button>
        <button class="btn pri" type="button" @click=${onSave}>${texts.editor.save}</button>
      </div>`,
  });
  /* eslint-enable lit-a11y/no-autofocus */
}

interface History {
  versions: readonly ContextVersion[];
  onRestore: (revision: number) => void;
  onClose: () => void;
  mayEdit: boolean;
  close: string;
}

/** The last versions, with what each of them changed. */
export function historyDialog({ versions, onRestore, onClose, mayEdit, close }: History): TemplateResult {
  return modal({
    title: texts.editor.historyTitle,
    onClose,
    isSide: true,
    content: html`<div class="bd">
        <p class="help">${texts.editor.historyText}</p>
        <ol class="rows" reversed>
          ${versions.map((version, index) => {
            const before = versions[index + 1];
            const changes = before ? settingNames(changedPaths(before.settings, version.settings)) : "";
            return html`<li>
              <div class="t">
                <b>${texts.editor.version(version.revision)}</b>
                <span>${texts.editor.versionBy(moment(version.saved_at), version.saved_by)}</span>
                <span>${version.revision === 1 ? texts.editor.firstVersion : changes}</span>
              </div>
              ${
                index === 0
                  ? html`<span class="s q2">${texts.editor.versionNow}</span>`
                  : mayEdit
                    ? html`<button class="btn sm" type="button" @click=${() => onRestore(version.revision)}>
                        ${texts.editor.restore}<span class="sr">
                          ${texts.editor.version(version.revision)}</span
                        >
                      </button>`
                    : nothing
              }
            </li>`;
          })}
        </ol>
      </div>
      <footer><button class="btn" type="button" @click=${onClose}>${close}</button></footer>`,
  });
}

/** What to do about somebody else's changes; nothing without a conflict. */
export function conflictNote(state: EditorState): TemplateResult | typeof nothing {
  const { theirs, saved } = state;
  if (!theirs) return nothing;
  const changes = settingNames(changedPaths(settingsOf(saved), settingsOf(theirs)));
  return html`<div class="note bad spaced" role="alert">
    ${icon("alert")}
    <div>
      <b>${texts.editor.conflict}</b>
      <p>${changes === "" ? texts.editor.conflictSame : texts.editor.conflictText(changes)}</p>
    </div>
    <button class="btn sm" type="button" @click=${() => state.takeTheirs()}>
      ${texts.editor.showTheirs}
    </button>
    <button class="btn sm" type="button" @click=${() => state.keepMine()}>${texts.editor.keepMine}</button>
  </div>`;
}

interface Notices {
  state: EditorState;
  mayEdit: boolean;
  /** Goes to the field that a path belongs to. */
  show: (path: string) => void;
  discard: () => void;
}

/** What of the saved settings has no effect. Some of it has no field in the form, so all of it is said here. */
function ineffective(state: EditorState): TemplateResult | typeof nothing {
  const { warnings } = state;
  if (warnings.size === 0) return nothing;
  return html`<div class="note spaced" role="status">
    <span>${texts.editor.noEffect(warnings.size)} ${[...warnings.values()].join(" ")}</span>
  </div>`;
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
  const warned = ineffective(state);
  if (!mayEdit)
    return html`${warned}
      <div class="note onsheet spaced">${texts.editor.readOnly}</div>`;
  if (state.resumedFrom === null) return warned;
  return html`${warned}
    <div class="note onsheet spaced" role="status">
      <span>${texts.editor.resumed(momentWithin(state.resumedFrom))}</span>
      <button class="btn sm" type="button" @click=${discard}>${texts.editor.discard}</button>
    </div>`;
}
