import { html, nothing, type TemplateResult } from "lit";
import { describedBy, field, select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import type { EngineFields } from "./engine-form-fields.ts";
import { moreOfKind, type MoreName } from "./engine-more.ts";

function change(fields: EngineFields, name: MoreName, value: string): void {
  const { draft } = fields;
  fields.change({ ...draft, more: { ...draft.more, [name]: value } });
}

/** A line of text, or several for JSON. */
function text(fields: EngineFields, name: Exclude<MoreName, "tools" | "isPrivate">): TemplateResult {
  const { form } = texts.engines;
  const id = `engine-${name}`;
  const help = name === "wait" ? form.moreHelp.wait[fields.draft.kind] : form.moreHelp[name];
  const error = fields.fault(name);
  const input = (event: Event): void => {
    const { target } = event;
    if (target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement)
      change(fields, name, target.value);
  };
  const control =
    name === "extra"
      ? html`<textarea
          class="in"
          id=${id}
          rows="3"
          spellcheck="false"
          .value=${fields.draft.more.extra}
          aria-invalid=${error ? "true" : "false"}
          aria-describedby=${describedBy({ id, help, error })}
          @input=${input}
        ></textarea>`
      : html`<input
          class="in"
          id=${id}
          inputmode=${name === "currency" ? nothing : "decimal"}
          autocomplete="off"
          .value=${fields.draft.more[name]}
          aria-invalid=${error ? "true" : "false"}
          aria-describedby=${describedBy({ id, help, error })}
          @input=${input}
        />`;
  return field({ id, label: form.moreLabels[name], help, error, control });
}

function toolsChoice(fields: EngineFields): TemplateResult {
  const { form } = texts.engines;
  const id = "engine-tools";
  return field({
    id,
    label: form.moreLabels.tools,
    help: form.moreHelp.tools,
    error: fields.fault("tools"),
    control: select({
      id,
      value: fields.draft.more.tools,
      choices: (["", "true", "false"] as const).map((value) => ({ value, label: form.toolsChoices[value] })),
      onChange: (value) => change(fields, "tools", value),
    }),
  });
}

function privateChoice(fields: EngineFields): TemplateResult {
  const { form } = texts.engines;
  const id = "engine-isPrivate";
  const toggle = (event: Event): void => {
    if (event.target instanceof HTMLInputElement)
      change(fields, "isPrivate", event.target.checked ? "true" : "");
  };
  return field({
    id,
    label: form.moreLabels.isPrivate,
    help: form.moreHelp.isPrivate,
    error: fields.fault("isPrivate"),
    control: html`<input
      type="checkbox"
      class="check"
      id=${id}
      .checked=${fields.draft.more.isPrivate === "true"}
      @change=${toggle}
    />`,
  });
}

/** Settings that most owners leave as they are; open where one is set or wrong. */
export function moreFields(fields: EngineFields): TemplateResult {
  const { kind, more } = fields.draft;
  const names = moreOfKind[kind];
  const isOpen = names.some((name) => more[name] !== "" || fields.fault(name) !== undefined);
  return html`<details ?open=${isOpen}>
    <summary>${texts.engines.form.more}</summary>
    <div class="fields">
      ${names.map((name) => {
        if (name === "tools") return toolsChoice(fields);
        return name === "isPrivate" ? privateChoice(fields) : text(fields, name);
      })}
    </div>
  </details>`;
}
