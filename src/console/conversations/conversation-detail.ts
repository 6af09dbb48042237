import { html, nothing, svg, type TemplateResult } from "lit";
import type { ConversationDetail, ConversationMoment } from "../../protocol/console/conversations.ts";
import { duration, exactMomentWithin, exactTime, position } from "../format.ts";
import { linkTo } from "../router.ts";
import { texts } from "../texts/texts.ts";
import { talkNotes } from "../../protocol/console/live.ts";
import * as z from "zod";
import { ratingSchema } from "../../protocol/answers/rating.ts";
import { icon, type IconName } from "../parts/icons.ts";

/** About how many characters are spoken in a second. */
const charactersPerSec = 15;

/** A span of the timeline, in seconds. */
interface Stretch {
  readonly who: "visitor" | "avatar";
  readonly fromSec: number;
  readonly toSec: number;
}

/** The length of the timeline of a conversation, in seconds. */
const lengthOf = ({ duration_sec: duration, moments }: ConversationDetail): number =>
  Math.max(1, duration, ...moments.map(({ at_sec: at }) => at));

/** Who spoke when. The lengths are estimated from the texts; spans do not overlap. */
function stretchesOf(conversation: ConversationDetail): Stretch[] {
  const said = conversation.moments.flatMap((moment) =>
    moment.type === "visitor" || moment.type === "avatar" ? [moment] : [],
  );
  return said.map(({ type: who, at_sec: at, text }, index): Stretch => {
    const estimate = Math.max(1, text.length / charactersPerSec);
    // A question is noted when it is complete, an answer when it begins to be spoken.
    if (who === "visitor")
      return { who, fromSec: Math.max(said[index - 1]?.at_sec ?? 0, at - estimate), toSec: at };
    const end = said[index + 1]?.at_sec ?? lengthOf(conversation);
    return { who, fromSec: at, toSec: Math.max(at, Math.min(at + estimate, end)) };
  });
}

/** A moment without an answer, at a share of the timeline in percent. Its word is left out where it would touch the one before. */
interface MissingMark {
  readonly percent: number;
  readonly hasWord: boolean;
  /** Which end of the word is at the moment: near an end of the line, the word stays within it. */
  readonly side: "begin" | "middle" | "end";
}

/** In percent: how far words are from each other, and from the ends if they are in the middle of their moment. */
const wordDistance = 20;
const endDistance = 10;

/** The marks of moments without an answer. `atSec`: the moments; `lengthSec`: the whole timeline. */
export function missingMarks(atSec: readonly number[], lengthSec: number): MissingMark[] {
  let lastWord = -Infinity;
  return atSec.map((at): MissingMark => {
    const percent = Math.min(100, (at / lengthSec) * 100);
    const hasWord = percent - lastWord >= wordDistance;
    if (hasWord) lastWord = percent;
    const side = percent < endDistance ? "begin" : percent > 100 - endDistance ? "end" : "middle";
    return { percent, hasWord, side };
  });
}

/** The conversation as a line: who spoke when, and where an answer was missing. */
function timeline(conversation: ConversationDetail): TemplateResult {
  const length = lengthOf(conversation);
  const scale = 1000 / length;
  const { timeline: words } = texts.conversations;
  const missing = conversation.moments.flatMap((moment) =>
    moment.type === "avatar" && !moment.answered ? [moment.at_sec] : [],
  );
  const bars = stretchesOf(conversation).map(({ who, fromSec, toSec }) => {
    const isAvatar = who === "avatar";
    return svg`<rect class=${isAvatar ? "speaks" : "asks"} x=${fromSec * scale} y=${isAvatar ? 11 : 6}
      width=${Math.max(3, (toSec - fromSec) * scale)} height=${isAvatar ? 6 : 16} />`;
  });
  return html`<figure class="tl">
    <div class="tlw">
      <svg viewBox="0 0 1000 28" preserveAspectRatio="none" role="img" aria-label=${words.label}>
        <line class="line" x1="0" x2="1000" y1="14" y2="14" />
        ${bars}
      </svg>
      <span class="lb st">${words.start}</span>
      ${missingMarks(missing, length).map(
        ({ percent, hasWord, side }) =>
          html`<span class="lb mid ${side}" .style=${`inset-inline-start: ${percent}%`}
            >${hasWord ? words.missing : nothing}</span
          >`,
      )}
      <span class="lb en">${position(length)}</span>
    </div>
    <figcaption class="legend">
      <span><i class="a"></i>${words.avatar}</span><span><i class="v"></i>${words.visitor}</span>
      <span>${words.about}</span>
    </figcaption>
  </figure>`;
}

type EventMoment = Extract<ConversationMoment, { type: "event" }>;
/** What a person has said or done in it. */
type PersonMoment = Extract<ConversationMoment, { type: "person" | "whisper" | "summary" | "note" }>;

interface EventLine {
  icon: IconName;
  text: string;
  /** Only of interest to somebody who looks for a fault. */
  isTechnical: boolean;
}

function ratingOf(detail: string | null): z.output<typeof ratingSchema> | null {
  try {
    const parsed: unknown = JSON.parse(detail ?? "");
    const rating = typeof parsed === "object" && parsed !== null && "rating" in parsed ? parsed.rating : null;
    const read = z.safeParse(ratingSchema, rating);
    return read.success ? read.data : null;
  } catch {
    return null;
  }
}

function eventLine({ event, detail }: EventMoment): EventLine {
  const { events } = texts.conversations;
  if (event === "SESSION_START") return { icon: "check", text: events.start, isTechnical: false };
  if (event === "SESSION_END") return { icon: "out", text: events.end, isTechnical: false };
  const isError = event === "SESSION_ERROR" || event === "SESSION_WS_ERROR";
  const rating = event === "SESSION_LOG" ? ratingOf(detail) : null;
  if (rating !== null) {
    const verdict = rating.value === "up" ? events.helped : events.didNotHelp;
    return { icon: "ask", text: rating.why ? `${verdict} ${rating.why}` : verdict, isTechnical: false };
  }
  const text = [isError ? events.error : event, detail ?? ""].filter(Boolean).join(": ");
  return { icon: isError ? "alert" : "more", text, isTechnical: !isError };
}

/** Whether a conversation has technical events. */
const hasTechnicalEvents = ({ moments }: ConversationDetail): boolean =>
  moments.some((moment) => moment.type === "event" && eventLine(moment).isTechnical);

/** What a person has said, whispered or summed up. */
function personWords({ type, name, text }: PersonMoment): TemplateResult {
  const { people } = texts.conversations;
  const byline = type === "person" ? name : type === "whisper" ? people.whisper(name) : people.summary(name);
  return html`<p class="by">${byline}</p>
    <p class="say-p">${text}</p>`;
}

function noteLine({ at_sec: at, text, name }: PersonMoment): TemplateResult {
  const known = talkNotes.find((note) => note === text);
  const words = known && texts.conversations.people.notes[known](name);
  return html`<p class="ev">
    <time>${position(at)}</time>${icon("person", 18)}<span>${words ?? text}</span>
  </p>`;
}

/** What the visitor has left for a person. */
function messageLine({ at_sec: at, text, message }: Extract<ConversationMoment, { type: "message" }>) {
  return html`<div class="turn">
    <time>${position(at)}</time>
    <div class="x">
      <p class="by">
        <a href=${linkTo(`/inbox/${encodeURIComponent(message)}`)}>${texts.conversations.message}</a>
      </p>
      <p class="say-p">${text}</p>
    </div>
  </div>`;
}

type Turn = Exclude<ConversationMoment, EventMoment | { type: "message" }>;

function turn(moment: Turn, teach: (question: string) => string | null, question: string) {
  const { conversations } = texts;
  const teachLink = moment.type === "avatar" && !moment.answered ? teach(question) : null;
  return html`<div class="turn">
    <time>${position(moment.at_sec)}</time>
    <div class="x">
      ${
        moment.type === "visitor"
          ? html`<p class="say-q">${moment.text}</p>`
          : moment.type !== "avatar"
            ? personWords(moment)
            : html`<p class="say-a">${moment.text}</p>
                ${
                  moment.answered
                    ? nothing
                    : html`<p class="ask-t">
                        ${conversations.couldNotAnswer}
                        ${teachLink === null ? nothing : html`<a class="btn sm" href=${teachLink}>${conversations.teach}</a>`}
                      </p>`
                }`
      }
    </div>
  </div>`;
}

interface Transcript {
  conversation: ConversationDetail;
  showsTechnical: boolean;
  /** The address where a question is taught; null: nowhere. */
  teach: (question: string) => string | null;
}

/** What was said and what happened, as a printed interview. Texts of visitors and models are never markup. */
function transcript({ conversation, showsTechnical, teach }: Transcript): TemplateResult {
  let question = "";
  return html`<div class="talk">
    ${conversation.moments.map((moment) => {
      if (moment.type === "visitor") question = moment.text;
      if (moment.type === "note") return noteLine(moment);
      if (moment.type === "message") return messageLine(moment);
      if (moment.type !== "event") return turn(moment, teach, question);
      const line = eventLine(moment);
      if (line.isTechnical && !showsTechnical) return nothing;
      return html`<p class="ev">
        <time>${position(moment.at_sec)}</time>${icon(line.icon, 18)}<span>${line.text}</span>
      </p>`;
    })}
  </div>`;
}

interface Detail {
  conversation: ConversationDetail;
  avatarName: string;
  /** The address of the list. */
  back: string;
  mayDelete: boolean;
  showsTechnical: boolean;
  teach: (question: string) => string | null;
  onTechnical: (shows: boolean) => void;
  onDelete: () => void;
}

/** How a conversation ended, in words. */
function endingText({ ended_at: ended, termination_reason: reason }: ConversationDetail): string {
  const { endings } = texts.conversations;
  if (ended === null) return endings.running;
  return reason === null ? endings.unknown : endings.reasons[reason];
}

/** Saves a conversation as a file of this browser. */
function download(conversation: ConversationDetail): void {
  const file = new Blob([JSON.stringify(conversation, null, 2)], { type: "application/json" });
  const address = URL.createObjectURL(file);
  const link = Object.assign(document.createElement("a"), {
    href: address,
    download: `conversation-${conversation.session_id}.json`,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

function words({ conversation, showsTechnical, teach, onTechnical }: Detail): TemplateResult {
  const said = conversation.moments.some(({ type }) => type !== "event" && type !== "message");
  const change = (event: Event): void => {
    if (event.target instanceof HTMLInputElement) onTechnical(event.target.checked);
  };
  return html`${said ? timeline(conversation) : html`<p class="note spaced">${icon("lock")}<span>${texts.conversations.noWords}</span></p>`}
  ${transcript({ conversation, showsTechnical, teach })}
  ${
    hasTechnicalEvents(conversation)
      ? html`<label class="events">
          <input
            type="checkbox"
            .checked=${showsTechnical}
            @change=${change}
          />${texts.conversations.technical}
        </label>`
      : nothing
  }`;
}

/** A conversation: its head, its timeline and what was said. */
export function conversationDetail(detail: Detail): TemplateResult {
  const { conversation, avatarName, back, mayDelete, onDelete } = detail;
  const { conversations } = texts;
  const at = conversation.started_at;
  return html`<a class="lk narrow" href=${back}>${icon("back", 18)} ${conversations.title}</a>
    <div class="conv-head">
      <div>
        <h2>${conversations.heading(avatarName, exactMomentWithin(at))}</h2>
        <p title=${exactTime(at)}>${duration(conversation.duration_sec)}, ${endingText(conversation)}</p>
      </div>
      <button class="icb fill" aria-label=${conversations.download} @click=${() => download(conversation)}>
        ${icon("download")}
      </button>
      ${
        mayDelete
          ? html`<button class="icb fill del" aria-label=${conversations.delete} @click=${onDelete}>
              ${icon("trash")}
            </button>`
          : nothing
      }
    </div>
    ${words(detail)}`;
}
