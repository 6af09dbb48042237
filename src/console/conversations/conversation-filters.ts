import { html, type TemplateResult } from "lit";
import { conversationEndings } from "../../protocol/console/conversations.ts";
import { select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { dayChoices, type ConversationAvatar, type ConversationFilters } from "./conversation-requests.ts";

type Change = Partial<ConversationFilters>;

interface FilterBar {
  readonly filters: ConversationFilters;
  readonly avatars: readonly ConversationAvatar[];
  /** Called with the filters that were changed. */
  readonly onChange: (change: Change) => void;
}

function toggle(label: string, isOn: boolean, onClick: () => void): TemplateResult {
  return html`<button class="chipb" aria-pressed=${isOn ? "true" : "false"} @click=${onClick}>
    ${label}
  </button>`;
}

/** The filters of the list of conversations. */
export function filterBar({ filters, avatars, onChange }: FilterBar): TemplateResult {
  const { filters: words } = texts.conversations;
  const { didNotHelp, unanswered } = filters;
  return html`<div class="filters" role="group" aria-label=${words.label}>
    ${select({
      isPill: true,
      label: words.avatar,
      value: filters.context,
      choices: [
        { value: "", label: words.allAvatars },
        ...avatars.map(({ id, name }) => ({ value: id, label: name })),
      ],
      onChange: (context) => onChange({ context }),
    })}
    ${select({
      isPill: true,
      label: words.time,
      value: String(filters.days),
      choices: dayChoices.map((days) => ({ value: String(days), label: words.days(days) })),
      onChange: (days) => onChange({ days: Number(days) }),
    })}
    ${select({
      isPill: true,
      label: words.ended,
      value: filters.ended,
      choices: [
        { value: "", label: words.endedAnyHow },
        ...conversationEndings.map((value) => ({ value, label: words.endings[value] })),
      ],
      onChange: (value) => onChange({ ended: conversationEndings.find((ending) => ending === value) ?? "" }),
    })}
    ${toggle(words.didNotHelp, didNotHelp, () => onChange({ didNotHelp: !didNotHelp }))}
    ${toggle(words.unanswered, unanswered, () => onChange({ unanswered: !unanswered }))}
  </div>`;
}
