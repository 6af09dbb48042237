import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
  websiteSchedules,
  type Website,
  type WebsitePage,
  type WebsiteSchedule,
} from "../../protocol/console/websites.ts";
import { momentWithin } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { isUnderWay, websiteProgress, type WebsiteProgress } from "./website-progress.ts";

/** What somebody can do with a website. */
export interface WebsiteActions {
  onRead: () => void;
  onStop: () => void;
  onDelete: () => void;
  onSchedule: (every: WebsiteSchedule) => void;
}

/** Progress is spoken at each tenth, so that it does not interrupt all the time. */
const spokenStep = 10;

const minuteSec = 60;

function timeLeft({ leftSec }: WebsiteProgress): string {
  if (leftSec === null) return "";
  const { website } = texts.knowledge;
  return leftSec < minuteSec ? website.secondsLeft : website.minutesLeft(Math.ceil(leftSec / minuteSec));
}

function progressOf(website: Website): TemplateResult {
  if (website.state === "waiting") return html`<p class="sig idle">${texts.knowledge.website.waiting}</p>`;
  const progress = websiteProgress(website, Date.now());
  const { done, all, percent } = progress;
  const spoken = Math.floor(percent / spokenStep) * spokenStep;
  return html`<div class="row sp">
      <span class="sig work" .style=${`--p: ${percent}`}>${texts.knowledge.website.reading(done, all)}</span>
      <span class="s q2 num">${timeLeft(progress)}</span>
    </div>
    <div class="bar" aria-hidden="true"><i .style=${`--v: ${percent}`}></i></div>
    <p class="sr" role="status">${texts.knowledge.website.percent(spoken)}</p>`;
}

function stateOf(website: Website): TemplateResult {
  const { report, state, problem, finished_at: finishedAt, has_document: hasDocument } = website;
  if (isUnderWay(website)) return progressOf(website);
  if (state === "failed")
    return html`<p class="err">
      ${icon("alert", 18)}<span
        >${texts.knowledge.website.failed(problem ?? "unreachable")}${hasDocument ? ` ${texts.knowledge.website.keptBefore}` : ""}</span
      >
    </p>`;
  if (state === "stopped") return html`<p class="sig idle">${texts.knowledge.website.stopped}</p>`;
  const read = report.pages.filter((page) => page.left_out === null).length;
  return html`<p class="row sp">
    <span class="sig">${texts.knowledge.website.ready(read, report.pages.length - read)}</span>
    ${finishedAt === null ? nothing : html`<span class="s q2">${texts.knowledge.website.lastRead(momentWithin(finishedAt))}</span>`}
  </p>`;
}

function pageLine({ path, left_out: reason, passages }: WebsitePage): TemplateResult {
  const { website } = texts.knowledge;
  return html`<li class=${reason === null ? "" : "skip1"}>
    ${icon(reason === null ? "check" : "minus", 18)}<span class="p" dir="ltr">${path}</span>
    <span class="q2 num">${reason === null ? website.passages(passages) : website.leftOut(reason)}</span>
  </li>`;
}

function pagesOf({ report, state, address }: Website): TemplateResult | typeof nothing {
  const { website } = texts.knowledge;
  const { pages, reading, beyond } = report;
  if (pages.length === 0 && reading === null) return nothing;
  return html`<details class="found" ?open=${state === "reading"}>
    <summary>${website.pages}</summary>
    <ul class="pages" tabindex="0" aria-label=${website.forWebsite(website.pages, address)}>
      ${
        reading === null
          ? nothing
          : html`<li>
              ${icon("more", 18)}<span class="p" dir="ltr">${reading}</span>
              <span class="q2">${website.isReading}</span>
            </li>`
      }
      ${repeat(
        [...pages].reverse(),
        ({ path }) => path,
        (page) => pageLine(page),
      )}
    </ul>
    ${beyond > 0 ? html`<p class="help">${website.beyond(beyond)}</p>` : nothing}
  </details>`;
}

function tools(site: Website, actions: WebsiteActions, isBusy: boolean): TemplateResult {
  const { website } = texts.knowledge;
  const { address, every } = site;
  const button = (label: string, run: () => void): TemplateResult =>
    html`<button
      class="btn sm"
      aria-label=${website.forWebsite(label, address)}
      ?disabled=${isBusy}
      @click=${run}
    >
      ${label}
    </button>`;
  const changed = (value: string): void => {
    const chosen = websiteSchedules.find((one) => one === value);
    if (chosen) actions.onSchedule(chosen);
  };
  return html`<div class="row w">
    ${isUnderWay(site) ? button(website.stop, actions.onStop) : button(website.again, actions.onRead)}
    ${button(website.delete, actions.onDelete)}
    ${select({
      label: website.forWebsite(website.every, address),
      value: every,
      choices: websiteSchedules.map((value) => ({ value, label: website.schedules[value] })),
      onChange: changed,
    })}
  </div>`;
}

/** A website: how far it is, what was read, what was left out and why. `actions` is null for whoever may only look. */
export function websiteView(site: Website, actions: WebsiteActions | null, isBusy: boolean): TemplateResult {
  return html`<h3 class="s" dir="ltr">${site.address}</h3>
    ${stateOf(site)}${pagesOf(site)} ${actions ? tools(site, actions, isBusy) : nothing}`;
}
