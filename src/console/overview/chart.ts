import { html, nothing, svg, type TemplateResult } from "lit";
import type { DayFigures } from "../../protocol/console/overview.ts";
import { dayAndMonth, duration, figure } from "../format.ts";
import { texts } from "../texts/texts.ts";
import { chartLayout } from "./chart-layout.ts";

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
