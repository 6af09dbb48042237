import { html, type TemplateResult } from "lit";
import { consentKinds, photoNameLimits } from "../../protocol/console/photo-characters.ts";
import type { ApiError } from "../api/api-error.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError, formTexts, textField } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import type { PhotoStatement } from "./photo-requests.ts";

interface StatementForm {
  /** Who is signed in. */
  account: string;
  /** Whether it is being saved. */
  isBusy: boolean;
  error: ApiError | null;
  onSave: (statement: PhotoStatement) => void;
}

/** The name of the face, and the statement about the person. Without the statement nothing is saved. */
export function statementForm({ account, isBusy, error, onSave }: StatementForm): TemplateResult {
  const { save } = texts.photo;
  const submit = (event: Event): void => {
    event.preventDefault();
    if (!(event.target instanceof HTMLFormElement) || isBusy) return;
    const given = formTexts(event.target);
    const consent = consentKinds.find((kind) => kind === given["consent"]);
    if (consent) onSave({ consent, title: given["title"] ?? "", statedBy: given["stated_by"] ?? "" });
  };
  const { fields = {} } = error ?? {};
  const isOfField = "title" in fields || "stated_by" in fields;
  return html`<form class="stack" @submit=${submit}>
    ${textField({
      ...{ id: "photo-title", name: "title", label: save.name, help: save.nameHelp, required: true },
      ...{ maxLength: photoNameLimits.title, error: fields["title"] },
    })}
    <fieldset class="stack t">
      <legend class="lab">${save.consent}</legend>
      ${consentKinds.map(
        (kind) =>
          html`<label class="row statement">
            <input type="radio" name="consent" value=${kind} required />
            <span>${save.statements[kind]}</span>
          </label>`,
      )}
      <p class="help">${save.rules}</p>
    </fieldset>
    ${textField({
      ...{ id: "photo-stated-by", name: "stated_by", label: save.statedBy, help: save.kept(account) },
      ...{ required: true, maxLength: photoNameLimits.statedBy, error: fields["stated_by"] },
      autocomplete: "name",
    })}
    ${fieldError("photo-save", error && !isOfField ? errorText(error) : undefined)}
    <div class="acts">
      <button class="btn pri" type="submit" ?disabled=${isBusy}>${isBusy ? save.saving : save.save}</button>
    </div>
  </form>`;
}
