import { html, nothing, type TemplateResult } from "lit";
import * as z from "zod";
import type { ConversationDetail, ConversationMoment } from "../../protocol/console/conversations.ts";
import { ratingSchema } from "../../protocol/rating.ts";
import { position } from "../format.ts";
import { icon, type IconName } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";

type EventMoment = Extract<ConversationMoment, { type: "event" }>;

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
export const hasTechnicalEvents = ({ moments }: ConversationDetail): boolean =>
  moments.some((moment) => moment.type === "event" && eventLine(moment).isTechnical);

function turn(
  moment: Exclude<ConversationMoment, EventMoment>,
  teach: (question: string) => string | null,
  question: string,
) {
  const { conversations } = texts;
  const teachLink = moment.type === "avatar" && !moment.answered ? teach(question) : null;
  return html`<div class="turn">
    <time>${position(moment.at_sec)}</time>
    <div class="x">
      ${
        moment.type === "visitor"
          ? html`<p class="say-q">${moment.text}</p>`
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
export function transcript({ conversation, showsTechnical, teach }: Transcript): TemplateResult {
  let question = "";
  return html`<div class="talk">
    ${conversation.moments.map((moment) => {
      if (moment.type === "visitor") question = moment.text;
      if (moment.type !== "event") return turn(moment, teach, question);
      const line = eventLine(moment);
      if (line.isTechnical && !showsTechnical) return nothing;
      return html`<p class="ev">
        <time>${position(moment.at_sec)}</time>${icon(line.icon, 18)}<span>${line.text}</span>
      </p>`;
    })}
  </div>`;
}
