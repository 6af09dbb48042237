import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { PhotoCharacterView } from "../../protocol/console/photo-characters.ts";
import { momentWithin } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";

/** What was stated, by whom and when. */
function consentText({ consent }: PhotoCharacterView): string {
  const { list, save } = texts.photo;
  if (!consent) return list.noStatement;
  const { kind, statement, stated_by: by, stated_at: at, account } = consent;
  const said = kind === null ? statement : save.statements[kind];
  return `${list.stated(by, momentWithin(at), account === by ? null : account)} ${said}`;
}

/** The faces that are made from photographs. */
export function photoList(
  characters: readonly PhotoCharacterView[],
  onRemove: (character: PhotoCharacterView) => void,
): TemplateResult | typeof nothing {
  if (characters.length === 0) return nothing;
  const { list } = texts.photo;
  return html`<section class="sheet" aria-labelledby="photo-list">
    <header><h2 id="photo-list">${list.title}</h2></header>
    <ul class="rows">
      ${repeat(
        characters,
        ({ name }) => name,
        (character) =>
          html`<li>
            <span class="port"><img src=${character.porthole} alt="" width="160" height="160" /></span>
            <div class="t">
              <b>${character.title}</b>
              <span class="whole">${list.usedBy(character.used_by.map(({ name }) => name))}</span>
              <span class="whole">${consentText(character)}</span>
            </div>
            ${
              character.is_shared
                ? nothing
                : html`<button
                    class="icb"
                    type="button"
                    aria-label=${list.remove(character.title)}
                    @click=${() => onRemove(character)}
                  >
                    ${icon("trash")}
                  </button>`
            }
          </li>`,
      )}
    </ul>
  </section>`;
}
