import type { LauncherParts } from "./launcher-controller.ts";
import { html, nothing, render, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import { addTexts, type Translate } from "../texts/texts.ts";
import { publicVoiceOf, type TranscriptEntry } from "../../client/index.ts";
import type { SessionSnapshot } from "../session/session-snapshot.ts";
import { mayHoldMarkup } from "../../markdown/markup.ts";
import type { glideThrough } from "../motion/layout-motion.ts";
import type { noticeText, noticeToRead } from "../panel/live/notice.ts";
import type { Placement } from "../../protocol/settings/embed-config.ts";
import type { PanelChoices, PanelHost, PanelModel } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { keepSettings } from "../settings/kept-settings.ts";
import sheet from "../styles/launcher-extras.css?inline";
import { addFonts } from "../styles/fonts.ts";
import { launcherTexts } from "../texts/launcher-texts.ts";
import { makeMovable } from "./launcher-drag.ts";
import { launcherWords, type LauncherWords } from "./launcher-words.ts";

/** Adds the button that puts the launcher away at the edge of the page, for this tab. A click brings it back. */
export function addHideButton({ box, button }: LauncherParts, contextId: string): HTMLElement {
  const hide = document.createElement("button");
  hide.type = "button";
  hide.className = "vv-hide";
  hide.setAttribute("part", "launcher-hide");
  hide.textContent = "×";
  hide.addEventListener("click", () => {
    box.toggleAttribute("data-hidden", true);
    remember(contextId, "1");
    button.focus();
  });
  // A click before this module was there has shown it again.
  if (!box.hasAttribute("data-hidden")) remember(contextId, "");
  // The click only shows the launcher again.
  box.addEventListener(
    "click",
    (event) => {
      if (!box.hasAttribute("data-hidden") || event.target === hide) return;
      event.stopPropagation();
      box.removeAttribute("data-hidden");
      remember(contextId, "");
    },
    { capture: true },
  );
  box.append(hide);
  return hide;
}

/** The loader reads it on the tab's next page. Where the browser stores nothing, the launcher returns with the next page. */
function remember(contextId: string, hidden: string): void {
  try {
    sessionStorage.setItem(`visavis-hidden:${contextId}`, hidden);
  } catch {
    // Storage is blocked.
  }
}

/** What the teaser is drawn from. */
interface TeaserProps {
  readonly t: Translate;
  /** Reading direction of the texts: the bubble's own is that of its side. */
  readonly direction: "ltr" | "rtl";
  /** The last answer that was not seen, without its marks; empty for none. */
  readonly answer: string;
  readonly open: () => void;
  readonly dismiss: () => void;
}

/** The last unread answer beside the launcher. Screen readers read it by itself. */
export function launcherTeaser({ t, direction, answer, open, dismiss }: TeaserProps): TemplateResult {
  const bubble = html`<div class="vv-teaser" part="launcher-teaser">
    <button type="button" class="vv-teaser-text" dir=${direction} @click=${open}>
      <small>${t("dialog")}</small><span dir="auto">${answer}</span>
    </button>
    <button type="button" class="vv-teaser-close" aria-label=${t("close")} @click=${dismiss}>
      ${icon("close")}
    </button>
  </div>`;
  return html`<div aria-live="polite">${answer ? bubble : nothing}</div>`;
}

/** Knows which answers came while the panel was away. */
export class UnreadAnswers {
  readonly #read = new Set<string>();

  /** Takes the present session. `shown`: the visitor sees the panel. Returns what was not seen or heard, oldest first. */
  update({ state, transcript, voice }: SessionSnapshot, shown: boolean): readonly TranscriptEntry[] {
    if (transcript.length === 0) this.#read.clear();
    const whole = transcript.filter(
      ({ role, status, text }) => role === "avatar" && status !== "streaming" && text.trim(),
    );
    // The conversation of an earlier page was seen there.
    const seen = shown || state === "idle";
    for (const { id, text } of whole) {
      const isSpoken = voice?.entryId === id;
      if (isSpoken ? voice.to >= text.trimEnd().length : seen) this.#read.add(id);
    }
    if (shown) return [];
    return whole.filter(({ id }) => !this.#read.has(id) && voice?.entryId !== id);
  }
}

export const css: string = sheet;

addTexts(launcherTexts);
// The visitor will see them soon.
addFonts();

const svg = "http://www.w3.org/2000/svg";

/** What comes with the panel's controls. */
interface Chrome {
  readonly noticeText: typeof noticeText;
  readonly noticeToRead: typeof noticeToRead;
  readonly glideThrough: typeof glideThrough;
}

/** The views that the launcher works with. */
interface Views {
  readonly loaded: {
    readonly chrome?: Chrome;
    readonly formatted?: { textToRead(text: string): string };
    readonly settings?: { keepSettings: typeof keepSettings };
  };
  load(name: "chrome" | "formatted" | "languages" | "settings"): Promise<void>;
}

/** The panel, as far as the launcher changes its settings. */
interface Panel extends Pick<PanelChoices, "settings"> {
  change(choices: Partial<PanelChoices>): void;
}

/** What a launcher shows, and what its parts do. */
interface LauncherProps {
  readonly host: PanelHost;
  readonly model: PanelModel;
  readonly session: Pick<SessionController, "snapshot" | "context" | "setVariables">;
  readonly panel: Panel;
  readonly views: Views;
  /** Corner or edge of the page. */
  readonly place: string;
  /** The panel is on the screen, and the launcher is not. */
  readonly shown: boolean;
}

const launchers = new WeakMap<HTMLElement, Launcher>();

/**
 * Completes a launcher that the visitor has reached for, and keeps it up to date: its label, a ring that shows the state of
 * a session, the number of unread answers and the last of them, a button that puts it away, and ways to move it.
 */
export function showLauncher(parts: LauncherParts | null, props: LauncherProps): void {
  // The avatar's name comes with the context.
  if (!parts || !props.session.context) return;
  const known = launchers.get(parts.box);
  const launcher = known?.parts.button === parts.button ? known : new Launcher(parts);
  if (launcher !== known)
    import("../panel/page-dialogs.ts").then(
      ({ stayBesideDialogs }) => stayBesideDialogs(props.host),
      // The panel brings it too.
      () => undefined,
    );
  launchers.set(parts.box, launcher);
  launcher.update(props);
}

class Launcher {
  readonly parts: LauncherParts;
  readonly #unread = new UnreadAnswers();
  readonly #count = document.createElement("span");
  readonly #teaser = document.createElement("div");
  readonly #said = document.createElement("span");
  #hide: HTMLElement | null = null;
  #dismissed = "";
  #props: LauncherProps | null = null;

  constructor(parts: LauncherParts) {
    this.parts = parts;
    const frame = parts.button.querySelector(".vv-window");
    if (frame && !frame.querySelector(".vv-ring")) frame.append(drawRing());
    this.#said.className = "vv-said";
    this.#said.role = "status";
    parts.box.append(this.#said);
  }

  update(props: LauncherProps): void {
    this.#props = props;
    const { model, session } = props;
    const { box, button } = this.parts;
    const ring = session.snapshot.state === "live" ? model.view.ring : "idle";
    button.querySelector(".vv-window")?.setAttribute("data-ring", ring);
    box.toggleAttribute("data-still", props.panel.settings.reduceMotion === true);
    // English needs no module.
    if (model.language) void props.views.load("languages");
    const unread = this.#unread.update(session.snapshot, props.shown);
    const { notice } = session.snapshot;
    const { chrome } = props.views.loaded;
    const ending = notice && { t: model.t, lang: model.lang, notice };
    const news = {
      inWriting: model.textOnly,
      unread: unread.length,
      timeLeft: (ending && chrome?.noticeText(ending)) ?? "",
      ui: session.context?.ui ?? {},
      recognizes: publicVoiceOf(session.context?.voice).recognizer,
    };
    const words = launcherWords(model.t, session.snapshot, news);
    if (words.needsControls) void props.views.load("chrome");
    const glide = props.panel.settings.reduceMotion ? undefined : chrome?.glideThrough;
    if (model.language?.ready !== false) writeLabel(box, words, glide);
    // The panel's own announcements are hidden with it.
    const said = (ending && !props.shown && chrome?.noticeToRead(ending)) || "";
    if (this.#said.textContent !== said) this.#said.textContent = said;
    // What stands in the page is only replaced by the panel.
    if (!model.traits.floating && !model.traits.leaves) return;
    this.#addControls(session.context?.context_id ?? "");
    box.dataset["place"] = props.place;
    box.toggleAttribute("data-news", words.isNews);
    this.#count.textContent = unread.length > 0 ? String(unread.length) : "";
    this.#hide?.setAttribute("aria-label", model.t("launcher_hide"));
    button.setAttribute("aria-description", model.t("launcher_move"));
    this.#showTeaser(props, unread.at(-1));
  }

  #addControls(contextId: string): void {
    if (this.#hide) return;
    const { box, button } = this.parts;
    this.#hide = addHideButton(this.parts, contextId);
    this.#count.className = "vv-count";
    button.append(this.#count);
    this.#teaser.className = "vv-news";
    box.append(this.#teaser);
    makeMovable(
      this.parts,
      (placement) => {
        if (this.#props) void choosePlace(this.#props, placement);
      },
      () => this.#props?.panel.settings.reduceMotion === true,
    );
  }

  #showTeaser({ model, views }: LauncherProps, entry: TranscriptEntry | undefined): void {
    const { button } = this.parts;
    const dismiss = () => {
      this.#dismissed = entry?.id ?? "";
      if (this.#props) this.update(this.#props);
      button.focus();
    };
    const answer = entry && entry.id !== this.#dismissed ? readable(entry.text, views) : "";
    const { t, direction } = model;
    render(launcherTeaser({ t, direction, answer, open: () => button.click(), dismiss }), this.#teaser);
  }
}

/** An answer without its marks. Empty while what reads them, or the look of the teaser, is being loaded. */
function readable(text: string, views: Views): string {
  if (!views.loaded.chrome) {
    void views.load("chrome");
    return "";
  }
  if (!mayHoldMarkup(text)) return text;
  if (!views.loaded.formatted) void views.load("formatted");
  return views.loaded.formatted?.textToRead(text) ?? "";
}

/** The visitor wants launcher and panel elsewhere. That is one of the settings, which are remembered together. */
async function choosePlace({ views, panel, session }: LauncherProps, placement: Placement): Promise<void> {
  panel.change({ settings: { ...panel.settings, placement } });
  await views.load("settings");
  // The visitor may have moved on meanwhile: the latest settings are kept.
  views.loaded.settings?.keepSettings(session, panel.settings);
}

/** Writes the label, which names the button too. */
function writeLabel(
  box: HTMLElement,
  { title, note }: LauncherWords,
  glide: Chrome["glideThrough"] | undefined,
): void {
  const label = box.querySelector(".vv-label");
  const known = label?.querySelector("b + span");
  if (!label) return;
  if (!known) label.replaceChildren(textNode("b"), textNode("span"));
  const { firstElementChild: first, lastElementChild: second } = label;
  if (first?.textContent === title && second?.textContent === note) return;
  const write = () => {
    first?.replaceChildren(title);
    second?.replaceChildren(note);
  };
  if (glide) glide(box, write);
  else write();
}

function textNode(name: string): HTMLElement {
  const element = document.createElement(name);
  element.dir = "auto";
  return element;
}

/** The strokes of the panel's ring: one for the state, three for light. */
function drawRing(): SVGElement {
  const ring = document.createElementNS(svg, "svg");
  ring.setAttribute("class", "vv-ring");
  ring.setAttribute("aria-hidden", "true");
  for (const name of ["t", "l", "n", "m"]) {
    const stroke = document.createElementNS(svg, "rect");
    stroke.setAttribute("class", name);
    stroke.setAttribute("pathLength", "100");
    ring.append(stroke);
  }
  return ring;
}
