import { html, nothing, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import type { PersonStatus } from "../../client/person/person-status.ts";
import type { TextKey } from "../texts/texts.ts";
import sheet from "../styles/person.css?inline";
import { personTexts } from "../texts/person-texts.ts";
import { addTexts, type Translate } from "../texts/texts.ts";
import type { Ring } from "../panel/view.ts";

export const css: string = sheet;

addTexts(personTexts);

/** What people's parts of the panel are drawn from. */
interface PersonProps {
  readonly t: Translate;
  /** What is known of them; null: nothing now, and there are words of them in the transcript. */
  readonly status: PersonStatus | null;
  /** The visitor did not want a person for this question. */
  readonly isDeclined: boolean;
  readonly want: (isWanted: boolean) => void;
  readonly decline: () => void;
}

/** What people add to the panel. */
export interface PersonParts {
  /** Somebody has joined: name and organization stand in place of the avatar's. */
  readonly joined: { readonly name: string; readonly role: string } | null;
  /** How the field to write in is called; null: as usual. */
  readonly fieldName: string | null;
  readonly ring: Ring | null;
  /** In place of the drawn room, with the badge. */
  readonly window: TemplateResult | null;
  /** Over the field or the controls, while the visitor waits. */
  readonly strip: unknown;
  /** A person is offered. */
  readonly offer: (isWanted: boolean) => unknown;
  /** Asks for a person; null where nobody can join. */
  readonly ask: (() => void) | null;
  readonly isWaiting: boolean;
  readonly announcement: string | null;
  /** A row of the transcript. */
  readonly row: (entry: TranscriptEntry, lang: string) => TemplateResult;
}

/** Up to two letters for a name. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  return [words[0], words.length > 1 ? words.at(-1) : ""]
    .map((word) => /^./u.exec(word ?? "")?.[0] ?? "")
    .join("");
}

const porthole = (name: string): TemplateResult =>
  html`<span class="vv-person-face" aria-hidden="true">${initialsOf(name)}</span>`;

/** Two rings, which always stand beside a word. */
const twoRings = html`<i class="vv-two" aria-hidden="true"></i>`;

function windowOf(t: Translate, { name, is_writing: writing, lost_sec: lost }: PersonStatus): TemplateResult {
  const dots = html`<span class="vv-dots" aria-hidden="true"><i></i><i></i><i></i></span>`;
  const key: TextKey = lost === null ? (writing ? "person_writing" : "person_is") : "person_lost";
  return html`<div class="vv-person-room">${porthole(name)}</div>
    <div class="vv-badge vv-person-badge">
      <span part="nameplate">${writing && lost === null ? dots : twoRings}${t(key, { person: name })}</span>
    </div>`;
}

/** What stands below the name, where there may be no badge. */
function roleOf(
  t: Translate,
  { name, organization, is_writing: writing, lost_sec: lost }: PersonStatus,
): string {
  if (lost !== null) return t("person_lost", { person: name });
  return writing ? t("person_writing", { person: name }) : t("person_role", { organization });
}

function stripOf({ t, status, want }: PersonProps): unknown {
  if (status?.state === "joined" && status.lost_sec !== null)
    return html`<div class="vv-strip" role="status">
      <div>
        <b>${t("person_lost", { person: status.name })}</b>
        <span>${t("person_goes_on", { seconds: status.lost_sec })}</span>
      </div>
    </div>`;
  if (status?.state !== "waiting") return nothing;
  const { place, wait_sec: waitSec } = status;
  const where = t(place === 1 ? "person_next" : "person_place", { place });
  const wait = waitSec === null ? "" : `, ${t("person_wait", { minutes: Math.ceil(waitSec / 60) })}`;
  return html`<div class="vv-strip" role="group" aria-label=${t("person_ask")}>
    <i class="vv-turn" aria-hidden="true"></i>
    <div><b>${where}${wait}</b><span>${t("person_stays")}</span></div>
    <button type="button" class="vv-cta s" @click=${() => want(false)}>${t("person_stop")}</button>
  </div>`;
}

function offerOf({ t, status, want, decline }: PersonProps): TemplateResult | typeof nothing {
  if (status?.state !== "here") return nothing;
  const { people, organization } = status;
  return html`<div class="vv-offer" role="group" aria-label=${t("person_can_join")}>
    <div class="vv-offer-head">
      <span class="vv-faces" aria-hidden="true">${people.slice(0, 3).map(porthole)}</span>
      <div>
        <b>${t("person_can_join")}</b
        ><span><bdi>${people.join(", ")}</bdi> · <bdi>${organization}</bdi></span>
      </div>
    </div>
    <div class="vv-row">
      <button type="button" class="vv-cta s pri" @click=${() => want(true)}>${t("person_ask")}</button>
      <button type="button" class="vv-cta s" @click=${decline}>${t("person_not_now")}</button>
    </div>
  </div>`;
}

function rowOf(
  { t, status }: PersonProps,
  { id, text, name = "", note, at }: TranscriptEntry,
  lang: string,
): TemplateResult {
  if (note === "left")
    return html`<p class="vv-div" data-entry=${id}><b>${t("person_left", { person: name })}</b></p>`;
  if (note === "joined")
    return html`<p class="vv-div" data-entry=${id}>
      <b
        >${
          status
            ? t("person_joined", { person: name, organization: status.organization })
            : t("person_is", { person: name })
        }</b
      >
      <span>${t("person_listens")}</span>
    </p>`;
  const time = new Intl.DateTimeFormat(lang, { hour: "numeric", minute: "2-digit" }).format(at);
  return html`<p class="vv-by"><bdi>${name}</bdi> <bdi class="at">${time}</bdi></p>
    <p class="vv-p plain" data-entry=${id} dir="auto">${text}</p>`;
}

/** What screen readers are told: joined, next in line, or a lost line. A place in line that changes is not told. */
function announcementOf({ t, status }: PersonProps): string | null {
  if (status?.state === "joined")
    return status.lost_sec === null
      ? t("person_announced", { person: status.name })
      : t("person_lost", { person: status.name });
  return status?.state === "waiting" && status.place === 1 ? t("person_next") : null;
}

/** What people add to the panel. */
export function personParts(props: PersonProps): PersonParts {
  const { t, status, isDeclined, want } = props;
  const joined = status?.state === "joined" ? status : null;
  return {
    joined: joined && { name: joined.name, role: roleOf(t, joined) },
    fieldName: joined && t("type", { name: joined.name }),
    ring: joined && (joined.lost_sec === null ? "two" : "two-lost"),
    window: joined && windowOf(t, joined),
    strip: stripOf(props),
    offer: (isWanted) => (isWanted && !isDeclined ? offerOf(props) : nothing),
    ask: status?.state === "here" ? () => want(true) : null,
    isWaiting: status?.state === "waiting",
    announcement: announcementOf(props),
    row: (entry, lang) => rowOf(props, entry, lang),
  };
}
