import { html, nothing, type PropertyDeclarations, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import {
  type Website,
  type WebsitePage,
  type WebsitePaths,
  type WebsiteSchedule,
  websiteSchedules,
} from "../../protocol/console/websites.ts";
import { momentWithin } from "../format.ts";
import { icon } from "../parts/icons.ts";
import { select } from "../parts/field.ts";
import { texts } from "../texts/texts.ts";
import { pathFields, pathsOf } from "./website-paths.ts";
import { isUnderWay, websiteProgress, type WebsiteProgress } from "./website-progress.ts";
import { errorText } from "../parts/error-text.ts";
import { KnowledgePart } from "./knowledge-part.ts";
import {
  changeWebsite,
  deleteWebsite,
  leaveOutPage,
  orderWebsite,
  restoreDocument,
} from "./knowledge-requests.ts";

/** What somebody can do with a website. */
interface WebsiteActions {
  onRead: () => void;
  onStop: () => void;
  onDelete: () => void;
  onChange: (change: { every?: WebsiteSchedule } & Partial<WebsitePaths>) => void;
  /** Leaves out a page that was read. */
  onLeaveOut: (path: string) => void;
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

/** What the list of pages needs beside the website; `onLeaveOut` is null for whoever may only look. */
interface PagesView {
  onLeaveOut: WebsiteActions["onLeaveOut"] | null;
  isBusy: boolean;
}

function pageLine(
  { path, left_out: reason, passages }: WebsitePage,
  { onLeaveOut, isBusy }: PagesView,
): TemplateResult {
  const { website } = texts.knowledge;
  const isRead = reason === null;
  return html`<li class=${isRead ? "" : "skip1"}>
    ${icon(isRead ? "check" : "minus", 18)}<span class="p" dir="ltr">${path}</span>
    ${
      isRead
        ? html`<span class="q2 num">${website.passages(passages)}</span>`
        : html`<span class="sr">${website.leftOut(reason)}</span>`
    }
    ${
      isRead && onLeaveOut
        ? html`<button
            class="btn sm"
            aria-label=${website.leaveOutPage(path)}
            ?disabled=${isBusy}
            @click=${() => onLeaveOut(path)}
          >
            ${website.leaveOut}
          </button>`
        : nothing
    }
  </li>`;
}

/** A group of so few pages is open from the beginning. */
const openedPages = 10;

/** The pages that were read, and then those that were left out, each in a list for its reason. */
function groupsOf(pages: readonly WebsitePage[]): [label: string, pages: WebsitePage[]][] {
  const { website } = texts.knowledge;
  const groups = new Map<string, WebsitePage[]>([[website.read, []]]);
  for (const page of pages) {
    const label = page.left_out === null ? website.read : website.leftOut(page.left_out);
    groups.set(label, [...(groups.get(label) ?? []), page]);
  }
  return [...groups].filter(([, group]) => group.length > 0);
}

function pagesOf({ report, state, address }: Website, view: PagesView): TemplateResult | typeof nothing {
  const { website } = texts.knowledge;
  const { pages, reading, beyond } = report;
  if (pages.length === 0 && reading === null) return nothing;
  return html`<details class="found" ?open=${state === "reading"}>
    <summary>${website.pages}</summary>
    ${
      reading === null
        ? nothing
        : html`<p class="row">
            ${icon("more", 18)}<span class="p" dir="ltr">${reading}</span>
            <span class="q2">${website.isReading}</span>
          </p>`
    }
    ${groupsOf(pages).map(
      ([label, group]) =>
        html`<details class="found" ?open=${group.length <= openedPages}>
          <summary>${website.group(label, group.length)}</summary>
          <ul class="pages" tabindex="0" aria-label=${website.forWebsite(label, address)}>
            ${repeat(
              [...group].reverse(),
              ({ path }) => path,
              (page) => pageLine(page, view),
            )}
          </ul>
        </details>`,
    )}
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
    if (chosen) actions.onChange({ every: chosen });
  };
  const saved = (event: SubmitEvent): void => {
    event.preventDefault();
    if (event.target instanceof HTMLFormElement) actions.onChange(pathsOf(event.target));
  };
  return html`<details class="found">
      <summary>${website.paths}</summary>
      <form class="stack t" @submit=${saved}>
        ${pathFields(site.id, site)}
        <div class="row"><button class="btn sm" ?disabled=${isBusy}>${website.savePaths}</button></div>
      </form>
    </details>
    <div class="row w">
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
function websiteView(site: Website, actions: WebsiteActions | null, isBusy: boolean): TemplateResult {
  return html`<h3 class="s" dir="ltr">${site.address}</h3>
    ${stateOf(site)}${pagesOf(site, { onLeaveOut: isUnderWay(site) ? null : (actions?.onLeaveOut ?? null), isBusy })}
    ${actions ? tools(site, actions, isBusy) : nothing}`;
}

/** The websites that are read, with what somebody can do with them. */
class WebsitesList extends KnowledgePart {
  static override properties: PropertyDeclarations = {
    ...KnowledgePart.properties,
    websites: { attribute: false },
  };
  declare websites: readonly Website[];

  constructor() {
    super();
    this.websites = [];
  }

  protected override render(): TemplateResult | typeof nothing {
    if (this.websites.length === 0) return nothing;
    const mayEdit = this.services.session.may("editor");
    return html`<ul class="sites" aria-label=${texts.knowledge.website.list}>
      ${repeat(
        this.websites,
        ({ id }) => id,
        (site) =>
          html`<li class="stack t">
            ${websiteView(site, mayEdit ? this.#actions(site) : null, this.isBusy)}
          </li>`,
      )}
    </ul>`;
  }

  #actions(site: Website): WebsiteActions {
    const { api } = this.services;
    const { id } = site;
    return {
      onRead: () => void this.#change(() => orderWebsite(api, id, "read")),
      onStop: () => void this.#change(() => orderWebsite(api, id, "stop")),
      onChange: (change) => void this.#change(() => changeWebsite(api, id, { every: site.every, ...change })),
      onLeaveOut: (path) => void this.#change(() => leaveOutPage(api, id, path)),
      onDelete: () => void this.#delete(site),
    };
  }

  async #change(act: () => Promise<unknown>): Promise<boolean> {
    const done = await this.do(async () => {
      await act();
      return true;
    });
    if (this.error !== null) this.services.toasts.show(errorText(this.error));
    this.onChanged();
    return done ?? false;
  }

  async #delete({ id, address, has_document: hasDocument }: Website): Promise<void> {
    const { api, toasts } = this.services;
    if (!(await this.#change(() => deleteWebsite(api, id)))) return;
    const text = texts.knowledge.documents.deleted(address);
    if (!hasDocument) {
      toasts.show(text);
      return;
    }
    const run = (): void => void this.#change(() => restoreDocument(api, id));
    toasts.show(text, { action: { label: texts.undo, run } });
  }
}

customElements.define("visavis-console-websites", WebsitesList);
