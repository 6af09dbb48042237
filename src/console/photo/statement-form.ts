import { html, nothing, type TemplateResult } from "lit";
import {
  consentKinds,
  type PhotoCharacterView,
  photoNameLimits,
} from "../../protocol/console/photo-characters.ts";
import type { ApiError } from "../api/api-error.ts";
import { errorText } from "../parts/error-text.ts";
import { fieldError, formTexts, textField } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import type { PhotoStatement } from "./photo-requests.ts";
import { createRef, ref } from "lit/directives/ref.js";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import { icon } from "../parts/icons.ts";

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

interface SavedNote {
  saved: PhotoCharacterView;
  avatars: readonly Avatar[];
  /** The avatar that somebody came from; empty: none. */
  avatar: string;
  onUse: (avatar: string) => void;
  onAnother: () => void;
}

/** The face is stored: gives it to an avatar. */
export function savedNote({ saved, avatars, avatar, onUse, onAnother }: SavedNote): TemplateResult {
  const words = texts.photo.saved;
  const choice = createRef<HTMLSelectElement>();
  const first = avatars.find(({ id }) => id === avatar) ?? avatars[0];
  return html`<section class="sheet" aria-labelledby="photo-saved">
    <div class="row w">
      <span class="port big"><img src=${saved.porthole} alt="" width="160" height="160" /></span>
      <div class="t">
        <h2 id="photo-saved" tabindex="-1">${words.title(saved.title)}</h2>
        <p class="q2">${words.text}</p>
      </div>
    </div>
    ${
      first
        ? html`<div class="f">
            <label for="photo-avatar">${words.avatar}</label>
            <div class="with">
              <span class="sel">
                <select class="in" id="photo-avatar" ${ref(choice)}>
                  ${avatars.map(
                    ({ id, name, avatar_name: called }) =>
                      html`<option value=${id} ?selected=${id === first.id}>
                        ${name === called ? called : `${called} (${name})`}
                      </option>`,
                  )}
                </select>
                ${icon("down")}
              </span>
              <button class="btn pri" type="button" @click=${() => onUse(choice.value?.value ?? first.id)}>
                ${words.use}
              </button>
            </div>
          </div>`
        : nothing
    }
    <button class="btn" type="button" @click=${onAnother}>${words.another}</button>
  </section>`;
}
