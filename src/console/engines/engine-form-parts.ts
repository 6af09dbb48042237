import { html, type TemplateResult } from "lit";
import type { EnginePreset } from "../../protocol/console/engines.ts";
import { field, select } from "../parts/field.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { editedKinds, type EditedKind, type EngineDraft } from "./engine-fields.ts";

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

/** What to do about somebody else's changes. `changed`: the fields that they changed. */
export function conflictNote(
  changed: readonly ("address" | "model" | "voice")[],
  { onTheirs, onMine }: { onTheirs: () => void; onMine: () => void },
): TemplateResult {
  const { form } = texts.engines;
  const names = changed.map((name) => form[name]).join(", ");
  return html`<div class="note bad" role="alert">
    ${icon("alert")}
    <div>
      <b>${form.conflict}</b>
      <p>${names === "" ? form.conflictSame : form.conflictText(names)}</p>
    </div>
    <button type="button" class="btn sm" @click=${onTheirs}>${form.showTheirs}</button>
    <button type="button" class="btn sm" @click=${onMine}>${form.keepMine}</button>
  </div>`;
}
