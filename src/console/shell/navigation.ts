import { html, nothing, type TemplateResult } from "lit";
import type { ConsoleSession } from "../../protocol/console/accounts.ts";
import { icon, mark } from "../parts/icons.ts";
import { routes, startPath, type Route } from "../routes.ts";
import { texts } from "../texts/texts.ts";
import { entryIcons, moreEntries, type NavigationEntry } from "./navigation-entries.ts";
import { themeButton } from "./theme-button.ts";

/** Groups of the side navigation. */
const groups: readonly (readonly NavigationEntry[])[] = [
  ["overview", "live", "inbox"],
  ["avatars", "knowledge", "conversations", "unanswered"],
  ["engines", "settings"],
];

/** What the bar of a phone has room for; the others are behind More. */
const barEntries: readonly NavigationEntry[] = ["overview", "live", "inbox", "unanswered"];

interface NavigationModel {
  session: ConsoleSession;
  /** The entry of the page that is shown. */
  current: Route["entry"] | null;
  /** Counts beside entries. */
  badges: Readonly<Partial<Record<NavigationEntry, number>>>;
  onTheme: () => void;
  onSignOut: () => void;
}

/** The address of an entry's first page, without parameters; undefined while the console has none. */
const pathOf = (entry: NavigationEntry): string | undefined =>
  routes.find((route) => route.entry === entry)?.path.replace(/\/:.*$/, "");

const shown = (entries: readonly NavigationEntry[]): NavigationEntry[] =>
  entries.filter((entry) => pathOf(entry) !== undefined);

function link(model: NavigationModel, entry: NavigationEntry, size?: 22): TemplateResult {
  const count = model.badges[entry] ?? 0;
  return html`<a
    href=${`#${pathOf(entry) ?? "/"}`}
    aria-current=${model.current === entry ? "page" : nothing}
  >
    ${icon(entryIcons[entry], size)}<span>${texts.nav[entry]}</span>
    ${
      count > 0
        ? html`<span class="n"
            ><b aria-hidden="true">${count > 99 ? "99+" : count}</b
            ><i class="sr">${texts.nav.open(count)}</i></span
          >`
        : nothing
    }
  </a>`;
}

/** The navigation at the side. */
export function sideNavigation(model: NavigationModel): TemplateResult {
  const { session, onTheme, onSignOut } = model;
  return html`<nav class="nav" aria-label=${texts.console}>
    <a class="brand" href=${`#${startPath}`} aria-label="Visavis">${mark}<span>Visavis</span></a>
    ${groups.map((group) => {
      const entries = shown(group);
      return entries.length === 0
        ? nothing
        : html`<ul>
            ${entries.map((entry) => html`<li>${link(model, entry)}</li>`)}
          </ul>`;
    })}
    <div class="foot">
      <div class="who">
        <div>
          <b>${session.organization.name}</b>
          <span>${session.account.username}, ${texts.roles[session.account.role]}</span>
        </div>
      </div>
      <div class="tools">
        ${themeButton(onTheme)}
        <button class="icb" aria-label=${texts.nav.signOut} @click=${onSignOut}>${icon("out")}</button>
      </div>
    </div>
  </nav>`;
}

/** The bar at the bottom of a phone's screen. */
export function phoneBar(model: NavigationModel): TemplateResult {
  const isMore = model.current === "more" || moreEntries.some((entry) => entry === model.current);
  return html`<nav class="dockbar" aria-label=${texts.console}>
    ${shown(barEntries).map((entry) => link(model, entry, 22))}
    <a href="#/more" aria-current=${isMore ? "page" : nothing}
      >${icon("more", 22)}<span>${texts.nav.more}</span></a
    >
  </nav>`;
}
