import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { LiveTalk } from "../../protocol/console/live.ts";
import { icon } from "../parts/icons.ts";
import { live } from "./live-texts.ts";
import { type Group, groups } from "./live-feed.ts";

/** The time since a moment, as minutes and seconds. */
export function since(at: string, nowMs: number): string {
  const sec = Math.max(0, Math.floor((nowMs - Date.parse(at)) / 1000));
  return `${Math.floor(sec / 60)}:${String(sec % 60).padStart(2, "0")}`;
}

/** Two rings for a person, one for the AI; always beside a word. */
export const sign = (isPerson: boolean): TemplateResult =>
  html`<i class=${isPerson ? "sg two" : "sg"} aria-hidden="true"></i>`;

/** Up to two letters for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => /^./u.exec(word ?? "")?.[0] ?? "")
    .join("");
}

/** The face of who answers: a person by two rings. */
export const face = ({ person, avatar }: LiveTalk): TemplateResult =>
  html`<span class=${person ? "face two" : "face"} aria-hidden="true"
    >${initialsOf(person?.name ?? avatar)}</span
  >`;

/** How the state of a conversation is called. */
export function stateText(talk: LiveTalk, account: string, nowMs: number): TemplateResult {
  if (talk.ended_at !== null) return html`${live.closed}`;
  if (talk.need !== null)
    return html`<span class="need"
      >${icon(talk.need === "asked" ? "person" : "ask", 16)}${talk.need === "asked" ? live.asked(since(talk.since ?? talk.started_at, nowMs)) : live.noAnswer}</span
    >`;
  if (talk.person === null) return html`${sign(false)}${live.withAvatar(talk.avatar)}`;
  const isMine = talk.person.account === account;
  const words = isMine
    ? live.you
    : talk.is_writing
      ? live.writes(talk.person.name)
      : live.answers(talk.person.name);
  return html`${sign(true)}<b>${words}</b>`;
}

const pageOf = ({ page, path }: LiveTalk): string => page || path || live.aPage;

function row(talk: LiveTalk, shown: string, account: string, nowMs: number): TemplateResult {
  return html`<li>
    <a
      href=${`#/live/${talk.session_id}`}
      aria-current=${talk.session_id === shown ? "true" : nothing}
      data-session=${talk.session_id}
    >
      ${face(talk)}
      <span class="t">
        <span class="l1"
          ><span>${pageOf(talk)}</span
          ><span>${live.minutes(Math.floor((nowMs - Date.parse(talk.started_at)) / 60_000))}</span></span
        >
        <span class=${talk.last ? "l2" : "l2 none"} dir="auto">${talk.last?.text ?? live.nothingYet}</span>
        <span class="l3">${stateText(talk, account, nowMs)}</span>
      </span>
    </a>
  </li>`;
}

/** The conversations that go on, and those that are just over. */
export function talkList(
  found: ReadonlyMap<Group, readonly LiveTalk[]>,
  { shown, account, nowMs }: { shown: string; account: string; nowMs: number },
): TemplateResult {
  return html`${groups.map((group) => {
    const talks = found.get(group) ?? [];
    return talks.length === 0
      ? nothing
      : html`<h2 class="day">${live.groups[group](talks.length)}</h2>
          <ul>
            ${repeat(
              talks,
              ({ session_id: id }) => id,
              (talk) => row(talk, shown, account, nowMs),
            )}
          </ul>`;
  })}`;
}
