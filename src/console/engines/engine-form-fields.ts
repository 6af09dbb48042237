import { html, nothing, type TemplateResult } from "lit";
import type { Engine, EnginePreset } from "../../protocol/console/engines.ts";
import { describedBy, field, fieldError, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import {
  changedFields,
  draftOf,
  type EditedKind,
  editedKinds,
  type EngineDraft,
  isEdited,
  keyChoices,
  mergedDraft,
} from "./engine-fields.ts";
import type { MoreName } from "./engine-more.ts";
import { icon } from "../parts/icons.ts";

export const textNames = ["name", "address", "model", "voice", "key"] as const;
type TextName = (typeof textNames)[number];

/** What the fields of an engine's form show, and what they do. */
export interface EngineFields {
  readonly draft: EngineDraft;
  readonly presets: readonly EnginePreset[];
  /** The models at the address; null: nobody has asked. */
  readonly found: readonly string[] | null;
  readonly isFinding: boolean;
  readonly isBusy: boolean;
  /** Where the saved engine's key is; "none" for a new engine too. */
  readonly savedKey: Engine["key"]["from"];
  /** Why the server refused what a field says. */
  fault(name: TextName | MoreName): string | undefined;
  change(draft: EngineDraft): void;
  /** Asks the address for its models. */
  find(): void;
}

interface TextOptions {
  label: string;
  help?: string;
  required?: boolean;
  /** The id of a list with suggestions. */
  list?: string;
  type?: "password";
}

export function textInput(fields: EngineFields, name: TextName, options: TextOptions): TemplateResult {
  const { label, help, required = false, list, type } = options;
  const id = `engine-${name}`;
  const error = fields.fault(name);
  const input = (event: Event): void => {
    if (event.target instanceof HTMLInputElement)
      fields.change({ ...fields.draft, [name]: event.target.value });
  };
  const control = html`<input
    class="in"
    id=${id}
    type=${type ?? "text"}
    .value=${fields.draft[name]}
    ?required=${required}
    autocomplete=${type === "password" ? "new-password" : "off"}
    spellcheck="false"
    list=${list ?? nothing}
    aria-invalid=${error ? "true" : "false"}
    aria-describedby=${describedBy({ id, help, error })}
    @input=${input}
  />`;
  return field({ id, label, help, error, control });
}

/** The model's name, with the models at the address as suggestions. */
export function modelField(fields: EngineFields): TemplateResult {
  const { form } = texts.engines;
  const { draft, found, isFinding, isBusy } = fields;
  const help = found === null ? form.modelHelp : form.found(found.length);
  return html`<div class="f">
    ${textInput(fields, "model", {
      label: form.model,
      help,
      required: draft.kind === "model",
      list: "engine-models",
    })}
    <datalist id="engine-models">
      ${(found ?? []).map((name) => html`<option value=${name}></option>`)}
    </datalist>
    <button
      type="button"
      class="btn sm"
      ?disabled=${draft.address === "" || isBusy}
      @click=${() => fields.find()}
    >
      ${isFinding ? texts.states.loading : form.find}
    </button>
  </div>`;
}

/** Where the key comes from, and the key or its variable. */
export function keyFields(fields: EngineFields): TemplateResult {
  const { form } = texts.engines;
  const { draft, presets, savedKey } = fields;
  const { kind, keyChoice } = draft;
  const isOffered = (choice: string): boolean =>
    !(choice === "keep" && savedKey === "none") && !(choice === "variable" && kind === "tools");
  const preset = presets.find(({ id }) => id === draft.preset);
  const choose = (value: string): void => {
    const chosen = keyChoices.find((one) => one === value) ?? "none";
    const key = chosen === "variable" ? (preset?.key_variable ?? "") : "";
    fields.change({ ...draft, keyChoice: chosen, key });
  };
  return html`${field({
    id: "engine-key-choice",
    label: form.key,
    control: select({
      id: "engine-key-choice",
      value: keyChoice,
      choices: keyChoices.filter(isOffered).map((value) => ({ value, label: form.keys[value] })),
      onChange: choose,
    }),
  })}
  ${
    keyChoice === "value"
      ? textInput(fields, "key", { label: form.keyValue, help: form.keyHelp, type: "password" })
      : nothing
  }
  ${
    keyChoice === "variable"
      ? textInput(fields, "key", { label: form.variable, help: form.variableHelp, required: true })
      : nothing
  }
  ${keyChoice === "keep" || keyChoice === "none" ? fieldError("engine-key", fields.fault("key")) : nothing}`;
}

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
