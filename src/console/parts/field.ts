import { html, nothing, type TemplateResult } from "lit";
import { icon } from "./icons.ts";

interface Field {
  /** Of the control; the help and the error derive theirs. */
  id: string;
  label: string;
  help?: string | undefined;
  error?: string | undefined;
  /** The control. It gets `aria-describedby` from `describedBy`, and `aria-invalid`. */
  control: TemplateResult;
}

/** The ids that describe a field's control, for `aria-describedby`. */
export function describedBy({
  id,
  help,
  error,
}: Pick<Field, "id" | "help" | "error">): string | typeof nothing {
  const ids = [error && `${id}-error`, help && `${id}-help`].filter(Boolean);
  return ids.length === 0 ? nothing : ids.join(" ");
}

/** What is wrong with a value, beside its field. */
export function fieldError(id: string, error: string | undefined): TemplateResult | typeof nothing {
  return error
    ? html`<p class="err" id=${`${id}-error`} role="alert">${icon("alert", 18)}<span>${error}</span></p>`
    : nothing;
}

/** A control with its label, its help and what is wrong with its value. */
export function field({ id, label, help, error, control }: Field): TemplateResult {
  return html`<div class="f">
    <label for=${id}>${label}</label>
    ${control} ${fieldError(id, error)}
    ${help ? html`<p class="help" id=${`${id}-help`}>${help}</p>` : nothing}
  </div>`;
}

interface TextField extends Omit<Field, "control"> {
  name: string;
  type?: "text" | "password" | "date";
  value?: string;
  autocomplete?: AutoFill;
  required?: boolean;
  maxLength?: number;
  minLength?: number;
}

/** A field with one line of text. */
export function textField(options: TextField): TemplateResult {
  const {
    id,
    name,
    type = "text",
    value = "",
    autocomplete = "off",
    required = false,
    maxLength,
    minLength,
    error,
  } = options;
  const control = html`<input
    class="in"
    id=${id}
    name=${name}
    type=${type}
    .value=${value}
    autocomplete=${autocomplete}
    maxlength=${maxLength ?? nothing}
    minlength=${minLength ?? nothing}
    ?required=${required}
    aria-invalid=${error ? "true" : "false"}
    aria-describedby=${describedBy(options)}
  />`;
  return field({ ...options, control });
}

interface Choice {
  value: string;
  label: string;
}

interface Select {
  id?: string;
  name?: string;
  /** For screen readers, where no label is shown. */
  label?: string;
  value: string;
  choices: readonly Choice[];
  isPill?: boolean;
  onChange?: (value: string) => void;
}

/** A choice of one of several. */
export function select({
  id,
  name,
  label,
  value,
  choices,
  isPill = false,
  onChange,
}: Select): TemplateResult {
  const change = (event: Event): void => {
    if (event.target instanceof HTMLSelectElement) onChange?.(event.target.value);
  };
  return html`<span class="sel ${isPill ? "pill" : ""}">
    <select
      class="in"
      id=${id ?? nothing}
      name=${name ?? nothing}
      aria-label=${label ?? nothing}
      @change=${change}
    >
      ${choices.map((choice) => html`<option value=${choice.value} ?selected=${choice.value === value}>${choice.label}</option>`)}
    </select>
    ${icon("down")}
  </span>`;
}

/** The texts of a form's fields, by their names. */
export function formTexts(form: HTMLFormElement): Readonly<Record<string, string>> {
  const entries = [...new FormData(form)].filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(entries);
}
