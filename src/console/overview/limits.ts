import { html, nothing, type TemplateResult } from "lit";
import type { LimitUse } from "../../protocol/console/overview.ts";
import { figure, money } from "../format.ts";
import { texts } from "../texts/texts.ts";

function limitRow({ kind, used, limit, unit, currency }: LimitUse): TemplateResult {
  const { limits } = texts.overview;
  const words = limits.units[unit];
  const amount = (value: number): string => (currency === null ? figure(value) : money(value, currency));
  const percent = limit === null || limit === 0 ? 100 : Math.min(100, (used / limit) * 100);
  return html`<div class="lim">
    <div>
      <span>${limits.kinds[kind]}</span>
      <b class="num">${limit === null ? words.open(amount(used)) : words.of(amount(used), amount(limit))}</b>
    </div>
    ${limit === null ? nothing : html`<div class="bar" aria-hidden="true"><i .style=${`--v:${percent}`}></i></div>`}
  </div>`;
}

/** How much of each limit is used. `change`: the address where limits are set; null: the role may not. */
export function limitsSheet(
  limits: readonly LimitUse[],
  timeZone: string,
  change: string | null,
): TemplateResult {
  const { limits: words } = texts.overview;
  const isLimited = limits.some(({ limit }) => limit !== null);
  return html`<section class="sheet" aria-labelledby="limits-title">
    <header>
      <h2 id="limits-title">${words.title}</h2>
      ${change === null ? nothing : html`<a class="lk s" href=${change}>${words.change}</a>`}
    </header>
    ${limits.map(limitRow)}
    <p class="help limits-note">${isLimited ? words.note(placeOf(timeZone)) : words.none}</p>
  </section>`;
}

/** The city of an IANA name: Europe/Vienna is Vienna. */
const placeOf = (timeZone: string): string => (timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " ");
