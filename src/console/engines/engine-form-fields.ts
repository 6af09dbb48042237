import { html, nothing, type TemplateResult } from "lit";
import type { Engine, EnginePreset } from "../../protocol/console/engines.ts";
import { describedBy, field, fieldError, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { keyChoices, type EngineDraft } from "./engine-fields.ts";

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
  fault(name: TextName): string | undefined;
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
