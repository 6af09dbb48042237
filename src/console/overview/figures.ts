import { html, nothing, type TemplateResult } from "lit";
import type { Overview } from "../../protocol/console/overview.ts";
import { duration, figure, secondsExact, share, weekday } from "../format.ts";
import { texts } from "../texts/texts.ts";

interface Figure {
  title: string;
  value: string;
  unit?: string;
  note?: string | TemplateResult | typeof nothing;
}

const shown = ({ title, value, unit, note }: Figure): TemplateResult =>
  html`<div>
    <dt>${title}</dt>
    <dd class="v">${value}${unit ? html`<small>${unit}</small>` : nothing}</dd>
    <dd class="c">${note ?? nothing}</dd>
  </div>`;

/** The figures of today. `teach`: the address where answers are taught; null: the role may not. */
export function figures(
  { today, week_ago: weekAgo, first_picture_ms: firstPictureMs }: Overview,
  teach: string | null,
): TemplateResult {
  const { figures: words } = texts.overview;
  const { conversations, questions, unanswered, talking_sec: talkingSec } = today;
  const answered = questions - unanswered;
  const all: Figure[] = [
    {
      title: words.conversations,
      value: figure(conversations),
      note: words.compared(conversations - weekAgo, weekday(today.date)),
    },
    {
      title: words.talking,
      value: figure(Math.round(talkingSec / 60)),
      unit: words.minutes,
      note: conversations > 0 ? words.each(duration(talkingSec / conversations)) : nothing,
    },
    {
      title: words.answered,
      value: figure(answered),
      unit: words.of(figure(questions)),
      note: questions > 0 ? share(answered / questions) : nothing,
    },
    {
      title: words.missing,
      value: figure(unanswered),
      note: unanswered > 0 && teach !== null ? html`<a class="lk" href=${teach}>${words.teach}</a>` : nothing,
    },
    firstPictureMs === null
      ? { title: words.firstPicture, value: "–" }
      : {
          title: words.firstPicture,
          value: secondsExact(firstPictureMs / 1000),
          unit: words.seconds,
          note: words.half,
        },
  ];
  return html`<dl class="sheet figs">${all.map(shown)}</dl>`;
}
