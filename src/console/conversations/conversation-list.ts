import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { Conversation } from "../../protocol/console/conversations.ts";
import { day, duration, exactTime, timeOfDay } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { empty } from "../parts/states.ts";
import { texts } from "../texts/texts.ts";
import { filterQuery, type ConversationAvatar, type ConversationFilters } from "./conversation-requests.ts";

interface ConversationList {
  /** The newest first. */
  readonly items: readonly Conversation[];
  /** The id of the conversation that is open; empty: none. */
  readonly open: string;
  /** The address that opens a conversation. */
  readonly addressOf: (id: string) => string;
}

function entry(item: Conversation, { open, addressOf }: ConversationList): TemplateResult {
  const { conversations } = texts;
  const marks = [
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
export function conversationList(list: ConversationList): TemplateResult[] {
  const groups = new Map<string, Conversation[]>();
  for (const item of list.items) {
    const name = day(item.started_at);
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].map(
    ([name, group]) =>
      html`<p class="day">${name}</p>
        <ul>
          ${repeat(
            group,
            ({ session_id: id }) => id,
            (item) => html`<li>${entry(item, list)}</li>`,
          )}
        </ul>`,
  );
}

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
