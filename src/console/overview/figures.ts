import { html, nothing, svg, type TemplateResult } from "lit";
import type { DayFigures, Overview } from "../../protocol/console/overview.ts";
import { dayAndMonth, duration, figure, secondsExact, share, weekday } from "../format.ts";
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

/** Where the bars of a day are, in the picture's units. The lower bar stands for conversations with a question without an answer. */
interface DayBars {
  readonly day: DayFigures;
  readonly x: number;
  readonly upper: { readonly y: number; readonly height: number };
  readonly lower: { readonly y: number; readonly height: number };
}

/** The chart of conversations a day as positions. */
interface ChartLayout {
  readonly width: number;
  readonly height: number;
  readonly barWidth: number;
  /** Where the lines of the scale begin. */
  readonly left: number;
  readonly bars: readonly DayBars[];
  /** The lines of the scale. */
  readonly lines: readonly { readonly value: number; readonly y: number }[];
  /** Indexes of the days that are named below: one a week. Today is named by itself. */
  readonly named: readonly number[];
}

const height = 252;
const left = 34;
const top = 16;
const bottom = 216;
/** Between the bars of a day. */
const gap = 1.5;
const barShare = 0.66;
const daysOfWeek = 7;
/** A name of this many days before today would touch the word for today. */
const namedUntil = 4;

/** The distance between the lines of a scale: 1, 2 or 5 times a power of ten, so that there are two to five lines. */
export function scaleStep(highest: number): number {
  let step = 1;
  for (let power = 1; power * 2 <= highest; power *= 10)
    for (const factor of [1, 2, 5]) if (factor * power * 2 <= highest) step = factor * power;
  return step;
}

/** The positions of the chart for these days, the last of which is today. */
export function chartLayout(days: readonly DayFigures[], width: number): ChartLayout {
  const highest = Math.max(1, ...days.map(({ conversations }) => conversations));
  const scale = (bottom - top) / highest;
  const step = scaleStep(highest);
  const pitch = (width - left) / Math.max(1, days.length);
  const barWidth = pitch * barShare;
  return {
    width,
    height,
    barWidth,
    left,
    bars: days.map((day, index) => {
      const lower = Math.min(day.with_unanswered, day.conversations) * scale;
      const whole = day.conversations * scale;
      const space = lower > 0 && whole > lower ? gap : 0;
      return {
        day,
        x: left + index * pitch + (pitch - barWidth),
        upper: { y: bottom - whole, height: Math.max(0, whole - lower - space) },
        lower: { y: bottom - lower, height: lower },
      };
    }),
    lines: Array.from({ length: Math.floor(highest / step) + 1 }, (_, index) => ({
      value: index * step,
      y: bottom - index * step * scale,
    })),
    named: days
      .map((_, index) => index)
      .filter((index) => index % daysOfWeek === 0 && index < days.length - namedUntil),
  };
}

/** How many days a phone has room for, and the widths of the pictures in their own units. */
const phoneDays = 14;
const wideWidth = 520;
const phoneWidth = 310;

/** Conversations a day as bars, with the same figures as a table. `days`: the earliest first, the last is today. */
export function chart(days: readonly DayFigures[]): TemplateResult {
  const { overview } = texts;
  const short = days.slice(-phoneDays);
  return html`<section class="sheet" aria-labelledby="chart-title">
    <header>
      <div>
        <h2 id="chart-title">${overview.chart.title}</h2>
        <p>
          <span class="wide">${overview.chart.last(days.length)}</span
          ><span class="slim">${overview.chart.last(short.length)}</span>
        </p>
      </div>
      <div class="legend">
        <span><i></i>${overview.chart.answered}</span><span><i class="n"></i>${overview.chart.missing}</span>
      </div>
    </header>
    ${picture(days, wideWidth, "wide")}${picture(short, phoneWidth, "slim")}
    <details class="chart-data">
      <summary>${overview.chart.asTable}</summary>
      ${table(days)}
    </details>
  </section>`;
}

function picture(days: readonly DayFigures[], width: number, size: "wide" | "slim"): TemplateResult {
  const { chart: words } = texts.overview;
  const layout = chartLayout(days, width);
  const today = layout.bars.at(-1);
  return html`<svg
    class="chart ${size}"
    viewBox=${`0 0 ${layout.width} ${layout.height}`}
    role="img"
    aria-label=${words.name(days.length, today?.day.conversations ?? 0)}
  >
    ${layout.lines.map(
      ({ value, y }) =>
        svg`<line class="ax" x1=${layout.left} x2=${width} y1=${y + 0.5} y2=${y + 0.5} /><text x=${layout.left - 8} y=${y + 4} text-anchor="end">${figure(value)}</text>`,
    )}
    ${layout.bars.map(
      ({ day, x, upper, lower }) =>
        svg`<g class=${day === today?.day ? "on" : ""}><title>${words.day(dayAndMonth(day.date), day.conversations, day.with_unanswered)}</title><rect class="yes" x=${x} y=${upper.y} width=${layout.barWidth} height=${upper.height} rx="3" /><rect class="no" x=${x} y=${lower.y} width=${layout.barWidth} height=${lower.height} rx="2.5" /></g>`,
    )}
    ${layout.named.map((index) => {
      const bars = layout.bars[index];
      return bars ? svg`<text x=${bars.x} y="238">${dayAndMonth(bars.day.date, "short")}</text>` : nothing;
    })}
    ${
      today
        ? svg`<text class="b0" x=${width} y="238" text-anchor="end">${texts.time.today}</text><text class="b0" x=${today.x + layout.barWidth / 2} y=${today.upper.y - 6} text-anchor="middle">${figure(today.day.conversations)}</text>`
        : nothing
    }
  </svg>`;
}

function table(days: readonly DayFigures[]): TemplateResult {
  const { chart: words } = texts.overview;
  return html`<div class="table-wrap" tabindex="0" role="region" aria-labelledby="chart-title">
    <table>
      <thead>
        <tr>
          <th scope="col">${words.columns.day}</th>
          <th scope="col">${words.columns.conversations}</th>
          <th scope="col">${words.columns.missing}</th>
          <th scope="col">${words.columns.questions}</th>
          <th scope="col">${words.columns.unanswered}</th>
          <th scope="col">${words.columns.talking}</th>
        </tr>
      </thead>
      <tbody>
        ${days.toReversed().map(
          (day) =>
            html`<tr>
              <th scope="row">${dayAndMonth(day.date)}</th>
              <td class="num">${figure(day.conversations)}</td>
              <td class="num">${figure(day.with_unanswered)}</td>
              <td class="num">${figure(day.questions)}</td>
              <td class="num">${figure(day.unanswered)}</td>
              <td class="num nowrap">${duration(day.talking_sec)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}
