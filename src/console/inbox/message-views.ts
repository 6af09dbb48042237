import { html, nothing, type TemplateResult } from "lit";
import type { InboxMessage, MessageState } from "../../protocol/console/inbox.ts";
import { exactMomentWithin, exactTime, timeOfDay } from "../format.ts";
import { byDay } from "../parts/by-day.ts";
import { icon, outline } from "../parts/icons.ts";
import { linkTo } from "../router.ts";
import { inbox } from "./inbox-texts.ts";
import { replyAddress } from "./reply.ts";

/** Who has left a message: the name, else the address. */
const senderOf = ({ name, email, phone }: InboxMessage): string => name || email || phone || inbox.noName;

const stateOf = ({ state, by }: InboxMessage): string => inbox.by(inbox.states[state], by);

/** An envelope. */
const mail =
  "M6 5.5h12a2.5 2.5 0 0 1 2.5 2.5v8a2.5 2.5 0 0 1-2.5 2.5H6A2.5 2.5 0 0 1 3.5 16V8A2.5 2.5 0 0 1 6 5.5zM4 7.5l8 5.5 8-5.5";

interface List {
  readonly items: readonly InboxMessage[];
  readonly open: string;
  readonly addressOf: (id: string) => string;
}

function entry(item: InboxMessage, { open, addressOf }: List): TemplateResult {
  const canAnswer = item.email !== "" || item.phone !== "";
  return html`<a href=${addressOf(item.id)} aria-current=${item.id === open ? "true" : nothing}>
    <div class="l1">
      <bdi>${senderOf(item)}</bdi>
      <span title=${exactTime(item.at)}>${timeOfDay(item.at)}</span>
    </div>
    <p class="l2" dir="auto">${item.text}</p>
    <p class="l3">
      <span class=${item.state === "new" ? "fresh" : ""}>${stateOf(item)}</span>
      ${canAnswer ? nothing : html`<span>${inbox.noAddress}</span>`}
    </p>
  </a>`;
}

/** The messages as links, day by day. */
export const messageList = (list: List): TemplateResult[] =>
  byDay({
    items: list.items,
    at: (item) => item.at,
    key: (item) => item.id,
    entry: (item) => entry(item, list),
  });

interface Detail {
  readonly message: InboxMessage;
  readonly avatarName: string;
  /** The address of the list. */
  readonly back: string;
  readonly mayAnswer: boolean;
  readonly mayDelete: boolean;
  readonly onState: (state: MessageState) => void;
  readonly onDelete: () => void;
}

function facts({ message, avatarName }: Detail): TemplateResult {
  const conversation = html`<a
    class="lk"
    href=${linkTo(`/conversations/${encodeURIComponent(message.session_id)}`)}
    >${inbox.readConversation}</a
  >`;
  const rows: [string, TemplateResult | string][] = [
    [
      inbox.phone,
      message.phone &&
        html`<a class="lk" href=${`tel:${message.phone.replace(/[^+\d]/g, "")}`}
          ><bdi>${message.phone}</bdi></a
        >`,
    ],
    [inbox.avatar, avatarName],
    [inbox.page, message.page && html`<bdi>${message.page}</bdi>`],
    [inbox.agreedTo, message.agreed_to],
    [inbox.conversation, conversation],
  ];
  return html`<dl class="facts">
    ${rows
      .filter(([, value]) => value !== "")
      .map(
        ([name, value]) =>
          html`<dt>${name}</dt>
            <dd dir="auto">${value}</dd>`,
      )}
  </dl>`;
}

function actions({ message, avatarName, mayAnswer, onState }: Detail): TemplateResult | typeof nothing {
  if (!mayAnswer) return nothing;
  const { email, state, text, at } = message;
  const mark = (to: MessageState, label: string) =>
    state === to ? nothing : html`<button class="btn" @click=${() => onState(to)}>${label}</button>`;
  const address = replyAddress(email, inbox.subject(avatarName), inbox.quoted(exactMomentWithin(at)), text);
  return html`<div class="row reply">
      ${
        email === ""
          ? nothing
          : html`<a class="btn pri" href=${address} @click=${() => state === "new" && onState("answered")}>
              ${outline(mail)} ${inbox.answer}
            </a>`
      }
      ${mark("answered", inbox.markAnswered)} ${mark("done", inbox.markDone)} ${mark("new", inbox.markNew)}
    </div>
    <p class="help">
      ${email !== "" ? inbox.answerHelp : message.phone === "" ? inbox.noAddress : nothing}
    </p>`;
}

/** A message with what is known of it. Texts of visitors are never markup. */
export function messageDetail(detail: Detail): TemplateResult {
  const { message, back, mayDelete, onDelete } = detail;
  const { name, email, at } = message;
  return html`<a class="lk narrow" href=${back}>${icon("back", 18)} ${inbox.title}</a>
    <div class="conv-head">
      <div>
        <h2><bdi>${senderOf(message)}</bdi></h2>
        <p title=${exactTime(at)}>
          ${name !== "" && email !== "" ? html`<bdi>${email}</bdi>, ` : nothing}${exactMomentWithin(at)},
          ${stateOf(message)}
        </p>
      </div>
      ${
        mayDelete
          ? html`<button class="icb fill del" aria-label=${inbox.delete} @click=${onDelete}>
              ${icon("trash")}
            </button>`
          : nothing
      }
    </div>
    <p class="say-q" dir="auto">${message.text}</p>
    ${facts(detail)} ${actions(detail)}`;
}
