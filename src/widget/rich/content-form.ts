import { html, nothing, type TemplateResult } from "lit";
import type { RichField, RichForm } from "../../protocol/answers/rich-content.ts";
import type { Translate } from "../texts/texts.ts";

/** What the visitor has sent, by the names of the fields. */
export type FormValues = Readonly<Record<string, string>>;

/** What a form is drawn from. */
export interface FormProps {
  readonly t: Translate;
  /** Distinguishes the fields of several forms. */
  readonly id: string;
  /** What was sent; undefined until then. */
  readonly sent: FormValues | undefined;
  readonly submit: (values: FormValues) => void;
}

const textMaxLength = 200;
const multilineMaxLength = 1_000;

/** A form. What was sent stays in its fields, which cannot be changed any more. */
export function contentForm(form: RichForm, props: FormProps): TemplateResult {
  const { t, sent } = props;
  const handleSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget as HTMLFormElement);
    const valueOf = (name: string): string => {
      const value = data.get(name);
      return typeof value === "string" ? value.trim() : "";
    };
    props.submit(Object.fromEntries(form.fields.map(({ name }) => [name, valueOf(name)])));
  };
  return html`<form class="vv-form" aria-label=${form.title ?? nothing} @submit=${handleSubmit}>
    <fieldset ?disabled=${sent !== undefined}>
      ${form.title ? html`<legend dir="auto">${form.title}</legend>` : nothing}
      ${form.fields.map((field) => fieldRow(field, props))}
      ${
        sent === undefined
          ? html`<button type="submit" class="vv-cta s pri">${form.submit ?? t("send")}</button>`
          : nothing
      }
    </fieldset>
    <p role="status" class="vv-done">${sent === undefined ? nothing : t("form_sent")}</p>
  </form>`;
}

function fieldRow(field: RichField, { t, id, sent }: FormProps): TemplateResult {
  const { name, label, required = false } = field;
  const key = `${id}-${name}`;
  return html`<label for=${key} dir="auto">${required ? label : t("field_optional", { label })}</label>
    ${control(field, key, sent?.[name] ?? "", t)}`;
}

function control(
  { name, type = "text", required = false, options = [] }: RichField,
  key: string,
  value: string,
  t: Translate,
): TemplateResult {
  if (type === "choice")
    return html`<select id=${key} name=${name} dir="auto" ?required=${required}>
      <option value="">${t("field_choose")}</option>
      ${options.map((option) => html`<option value=${option} ?selected=${option === value}>${option}</option>`)}
    </select>`;
  if (type === "multiline")
    return html`<textarea
      id=${key}
      name=${name}
      rows="3"
      dir="auto"
      maxlength=${multilineMaxLength}
      ?required=${required}
      .defaultValue=${value}
    ></textarea>`;
  return html`<input
    id=${key}
    name=${name}
    type=${type}
    step=${type === "number" ? "any" : nothing}
    dir="auto"
    autocomplete=${type === "email" || type === "tel" ? type : nothing}
    maxlength=${textMaxLength}
    ?required=${required}
    .defaultValue=${value}
  />`;
}

/** What a form sends as a message of the visitor: its title, then a line for each field with a value. */
export function formMessage({ title, fields }: RichForm, values: FormValues): string {
  const lines = fields.flatMap(({ name, label }) => (values[name] ? [`${label}: ${values[name]}`] : []));
  return [...(title ? [title] : []), ...lines].join("\n");
}
