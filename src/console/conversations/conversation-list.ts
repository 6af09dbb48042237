import { html, nothing, type TemplateResult } from "lit";
import { live } from "lit/directives/live.js";
import { type Conversation, conversationEndings } from "../../protocol/console/conversations.ts";
import { duration, exactTime, timeOfDay } from "../format.ts";
import { byDay } from "../parts/by-day.ts";
import { icon } from "../parts/icons.ts";
import { empty } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import {
  type ConversationAvatar,
  type ConversationFilters,
  dayChoices,
  filterQuery,
} from "./conversation-requests.ts";
import { select } from "../parts/field.ts";

interface ConversationList {
  /** The newest first. */
  readonly items: readonly Conversation[];
  /** The id of the conversation that is open; empty: none. */
  readonly open: string;
  /** The address that opens a conversation. */
  readonly addressOf: (id: string) => string;
  /** The name of a conversation's avatar; null: all in the list are of one. */
  readonly avatarOf: ((context: string) => string) | null;
}

function entry(item: Conversation, { open, addressOf, avatarOf }: ConversationList): TemplateResult {
  const { conversations } = texts;
  const marks = [
    avatarOf?.(item.context) ?? "",
    item.unanswered > 0 ? conversations.missing(item.unanswered) : "",
    item.helped === null ? "" : item.helped ? conversations.helped : conversations.didNotHelp,
    item.ended_at === null ? conversations.endings.running : "",
  ].filter(Boolean);
  return html`<a
    href=${addressOf(item.session_id)}
    aria-current=${item.session_id === open ? "true" : nothing}
  >
    <div class="l1">
      <span title=${exactTime(item.started_at)}>${timeOfDay(item.started_at)}</span>
      <span>${duration(item.duration_sec)}</span>
    </div>
    <p class="l2">${item.first_question ?? conversations.questions(item.questions)}</p>
    ${marks.length > 0 ? html`<p class="l3">${marks.map((text) => html`<span>${text}</span>`)}</p>` : nothing}
  </a>`;
}

/** The conversations as links, day by day. */
export const conversationList = (list: ConversationList): TemplateResult[] =>
  byDay({
    items: list.items,
    at: (item) => item.started_at,
    key: (item) => item.session_id,
    entry: (item) => entry(item, list),
  });

/** What is shown instead of an empty list. `onAll` removes the filters. */
export function noConversations(filters: ConversationFilters, onAll: () => void): TemplateResult {
  const { none } = texts.conversations;
  const action = html`<button class="btn" @click=${onAll}>${none.all}</button>`;
  if (filters.unanswered)
    return empty({ icon: "check", title: none.missing, text: none.missingText, action });
  // With the default number of days, the query contains only the other filters.
  const others = Object.values(filterQuery({ ...filters, days: 7 }));
  if (filters.days !== 0 || others.some((value) => value !== undefined))
    return empty({ icon: "chat", title: none.found, text: none.foundText, action });
  return empty({ icon: "chat", title: none.yet, text: none.yetText });
}

/** How long what is said is kept, for one avatar (`context`) or all of them (empty). `mayChange` adds the link to the setting. */
export function retentionNote(
  avatars: readonly ConversationAvatar[],
  { context, mayChange }: { context: string; mayChange: boolean },
): TemplateResult {
  const shown = context === "" ? avatars : avatars.filter(({ id }) => id === context);
  const days = [...new Set(shown.map(({ retentionDays }) => retentionDays))].sort(
    (one, other) => one - other,
  );
  const kept = days.filter((count) => count > 0);
  const text = kept.length === 0 ? texts.conversations.off : texts.conversations.kept(kept, days.includes(0));
  const change = mayChange ? html` <a href="#/settings/privacy">${texts.conversations.change}</a>` : nothing;
  return html`<span class="row kept">${icon("lock", 18)}<span>${text}${change}</span></span>`;
}

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
  const { didNotHelp, unanswered, search } = filters;
  const look = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLInputElement) onChange({ search: currentTarget.value.trim() });
  };
  return html`<div class="filters" role="group" aria-label=${words.label}>
    <div class="find">
      ${icon("search")}
      <input
        class="in"
        type="search"
        maxlength="200"
        autocomplete="off"
        aria-label=${words.search}
        placeholder=${words.search}
        .value=${live(search)}
        @change=${look}
      />
    </div>
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
