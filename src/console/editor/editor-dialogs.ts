import { html, nothing, type TemplateResult } from "lit";
import type { ContextVersion } from "../../protocol/console/avatars.ts";
import { moment } from "../format.ts";
import { modal } from "../parts/dialog.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { settingsOf, type EditorState } from "./editor-state.ts";
import { fieldAt } from "./form-fields.ts";
import { wordsOf } from "./field-views.ts";
import { changedPaths } from "./settings-path.ts";

/** The names of settings, as a list in a sentence. */
export function settingNames(paths: readonly string[]): string {
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
