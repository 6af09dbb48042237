import { html, nothing, type TemplateResult } from "lit";
import type { Engine, EnginePreset } from "../../protocol/console/engines.ts";
import { field, select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import {
  changedFields,
  draftOf,
  editedKinds,
  isEdited,
  mergedDraft,
  type EditedKind,
  type EngineDraft,
} from "./engine-fields.ts";

/** The choice of what is added. */
export function kindChoice({ kind }: EngineDraft, onChoose: (kind: EditedKind) => void): TemplateResult {
  const { form, kinds } = texts.engines;
  return field({
    id: "engine-kind",
    label: form.kind,
    control: select({
      id: "engine-kind",
      value: kind,
      choices: editedKinds.map((value) => ({ value, label: kinds[value] })),
      onChange: (value) => onChoose(editedKinds.find((one) => one === value) ?? "model"),
    }),
  });
}

/** The choice of a provider, which fills the address in. */
export function providerChoice(
  draft: EngineDraft,
  presets: readonly EnginePreset[],
  onChoose: (preset: EnginePreset) => void,
): TemplateResult {
  const { form } = texts.engines;
  const shown = presets.filter(({ kinds }) => kinds.includes(draft.kind));
  return html`<fieldset class="presets">
    <legend class="lab">${form.provider}</legend>
    ${shown.map(
      (preset) =>
        html`<label>
          <input
            type="radio"
            class="radio"
            name="preset"
            value=${preset.id}
            .checked=${draft.preset === preset.id}
            @change=${() => onChoose(preset)}
          />${form.providers[preset.id] ?? preset.name}
        </label>`,
    )}
  </fieldset>`;
}

/** Whether what was typed may go. */
export function leaveQuestion(onStay: () => void, onDiscard: () => void): TemplateResult {
  const { form } = texts.engines;
  return html`<div class="note" role="alert">
    <p>${form.leave}</p>
    <button type="button" class="btn sm" @click=${onStay}>${form.stay}</button>
    <button type="button" class="btn sm del" @click=${onDiscard}>${form.discard}</button>
  </div>`;
}

/** Takes up an engine as the server has it, with what the form shows of it. */
export type Adopt = (saved: Engine, draft: EngineDraft, isDirty: boolean) => void;

/** What to do about somebody else's changes; nothing without a conflict. `saved`: as the form began, `theirs`: as it is now. */
export function conflictNote(
  saved: Engine | null,
  theirs: Engine | null,
  draft: EngineDraft,
  adopt: Adopt,
): TemplateResult | typeof nothing {
  if (theirs === null || saved === null || !isEdited(theirs.kind)) return nothing;
  const { form } = texts.engines;
  const [before, after] = [draftOf(theirs.kind, saved), draftOf(theirs.kind, theirs)];
  const changed = changedFields(before, after).map((name) => form[name]);
  const keepMine = (): void => {
    adopt(theirs, mergedDraft(before, draft, after), true);
  };
  return html`<div class="note bad" role="alert">
    ${icon("alert")}
    <div>
      <b>${form.conflict}</b>
      <p>${changed.length === 0 ? form.conflictSame : form.conflictText(changed.join(", "))}</p>
    </div>
    <button type="button" class="btn sm" @click=${() => adopt(theirs, after, false)}>
      ${form.showTheirs}
    </button>
    <button type="button" class="btn sm" @click=${keepMine}>${form.keepMine}</button>
  </div>`;
}
