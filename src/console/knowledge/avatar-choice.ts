import { html, nothing, type TemplateResult } from "lit";
import type { ConversationAvatar } from "../conversations/conversation-requests.ts";
import { texts } from "../texts/texts.ts";

interface AvatarChoice {
  avatars: readonly ConversationAvatar[];
  /** UUIDs of those that are chosen. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

/** The names of avatars, as people list them. */
export const avatarNames = (avatars: readonly { readonly name: string }[]): string =>
  new Intl.ListFormat(document.documentElement.lang, { type: "conjunction" }).format(
    avatars.map(({ name }) => name),
  );

/** The avatars that answer from something: their names, and below them a list to choose from. */
export function avatarChoice({ avatars, chosen, onChange }: AvatarChoice): TemplateResult | typeof nothing {
  if (avatars.length === 0) return nothing;
  const names = avatarNames(avatars.filter(({ id }) => chosen.includes(id)));
  const toggle = (id: string, isChosen: boolean): void =>
    onChange(isChosen ? [...chosen.filter((one) => one !== id), id] : chosen.filter((one) => one !== id));
  return html`<details class="used">
    <summary>${texts.knowledge.add.usedBy(names)}</summary>
    <fieldset>
      <legend class="sr">${texts.knowledge.add.usedByLegend}</legend>
      ${avatars.map(
        ({ id, name }) =>
          html`<label
            ><input
              type="checkbox"
              .checked=${chosen.includes(id)}
              @change=${(event: Event) =>
                toggle(id, event.target instanceof HTMLInputElement && event.target.checked)}
            />${name}</label
          >`,
      )}
    </fieldset>
  </details>`;
}
