import { html, nothing, type TemplateResult } from "lit";
import { createRef, ref } from "lit/directives/ref.js";
import type { Avatar } from "../../protocol/console/avatar-list.ts";
import type { PhotoCharacterView } from "../../protocol/console/photo-characters.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";

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
