import type { TranscriptEntry } from "../../../client/index.ts";
import { readDataLayer } from "../../../protocol/settings/late-settings.ts";
import type { SessionController } from "../../session/session-controller.ts";
import type * as settingsView from "../../settings/settings.ts";
import type { VisitorSettings } from "../../settings/kept-settings.ts";
import type { FocusController } from "../focus-controller.ts";
import type { AnswerChoices, PanelActions, PanelChoices, PanelHost } from "../panel-host.ts";
import { showTooltips } from "./tooltips.ts";
import { askForPerson } from "../../person/person-of.ts";
import { talkOf } from "../voice-of.ts";

/** Whether a key press starts a message: one letter or digit, no shortcut, and not in a field. */
function startsWriting(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return false;
  const { target } = event;
  if (target instanceof Element && target.closest("textarea, input, select, [contenteditable]")) return false;
  return /^[\p{L}\p{N}]$/u.test(event.key);
}

/** The panel's choices, and its own actions. */
interface Panel extends PanelChoices {
  readonly begin: () => void;
  readonly minimise: () => void;
  readonly closeMore: () => void;
  readonly change: (choices: Partial<PanelChoices>) => void;
  ask(text: string): Promise<void>;
  askForPerson?: () => Promise<boolean>;
}

/** What the actions work with. */
interface Partners {
  readonly session: SessionController;
  readonly focus: FocusController;
  readonly views: {
    readonly loaded: { readonly settings?: typeof settingsView };
    load(name: "settings" | "transcript"): Promise<void>;
  };
}

/** What the panel's controls do, by pointer and by key. Comes with the controls, after the first frame. */
export class ControlActions implements PanelActions {
  readonly begin: () => void;
  readonly minimise: () => void;
  readonly change: (choices: Partial<PanelChoices>) => void;
  readonly #panel: Panel;
  readonly #host: PanelHost;
  readonly #with: Partners;

  constructor(panel: Panel, host: PanelHost, partners: Partners) {
    this.#panel = panel;
    this.#host = host;
    this.#with = partners;
    this.begin = panel.begin;
    this.minimise = panel.minimise;
    this.change = panel.change;
    panel.askForPerson = () => askForPerson(partners.session.current);
    if (host.renderRoot instanceof HTMLElement) showTooltips(host.renderRoot);
    this.#tellDataLayer();
    host.addEventListener("visavis-message", ({ detail }) => this.#handleMessage(detail.message));
    // What came before the controls.
    const last = partners.session.current?.transcript.at(-1);
    if (last) queueMicrotask(() => this.#handleMessage(last));
  }

  get draft(): string {
    return this.#panel.draft;
  }

  get copied(): boolean {
    return this.#panel.copied;
  }

  get settings(): VisitorSettings {
    return this.#panel.settings;
  }

  get answers(): AnswerChoices {
    return this.#panel.answers;
  }

  interrupt = (): void => {
    this.#with.session.current?.interrupt();
  };

  playSound = (): void => {
    void this.#with.session.current?.resumeSound();
  };

  end = (): void => {
    const { session } = this.#with;
    // Without a session the transcript of an earlier page is all there is.
    if (session.state === "idle") session.dispose();
    else void session.current?.end();
    this.change({ moreOpen: false, copied: false });
  };

  stay = (): void => {
    this.#with.session.current?.stay();
  };

  send = (text: string): void => {
    // The session's error event tells of a failure.
    this.#panel.ask(text).catch(() => undefined);
  };

  retry = (id: string): void => {
    this.#with.session.current?.retry(id).catch(() => undefined);
  };

  discard = (id: string): void => {
    this.#with.session.current?.discard(id);
  };

  resume = (id: string): void => {
    this.#with.session.current?.resumeAnswer(id).catch(() => undefined);
  };

  correct = (id: string): void => {
    const session = this.#with.session.current;
    session?.interrupt();
    const entries = session?.transcript ?? [];
    const at = entries.findIndex((entry) => entry.id === id);
    if (at < 0) return;
    for (const entry of entries.slice(at)) session?.discard(entry.id);
    this.change({ draft: entries[at]?.text ?? "" });
    void this.#write("");
  };

  toggleText = (): void => {
    const textOpen = !this.#host.model?.textOpen;
    this.change({ textOpen });
    if (textOpen) void this.#write("");
  };

  toggleCaptions = (): void => {
    this.choose({ captions: !this.#host.model?.captionsOn });
  };

  toggleMore = (): void => {
    if (this.#panel.moreOpen) {
      this.#panel.closeMore();
      return;
    }
    this.#with.focus.toNext(".vv-more [data-main]");
    this.change({ moreOpen: true, copied: false });
  };

  openSettings = (): void => {
    this.#with.focus.toNext(".vv-set [data-main]");
    this.change({ moreOpen: "settings" });
  };

  choose = (settings: VisitorSettings): void => {
    const { session, views } = this.#with;
    this.change({ settings: { ...this.settings, ...settings } });
    void views.load("settings").then(() => views.loaded.settings?.keepSettings(session, this.settings));
  };

  changeDraft = (draft: string): void => {
    this.change({ draft });
  };

  handleCopy = (): void => {
    this.change({ copied: true });
  };

  /** A key that the panel itself does not handle: a letter begins a message, or goes on with the one in the field. */
  handleTyping(event: KeyboardEvent): void {
    // For the page the element is the target: its one-letter shortcuts would fire while the visitor types.
    if (event.target instanceof Element && event.target.matches("textarea, input, select"))
      event.stopPropagation();
    const { model } = this.#host;
    if (model?.mode === "voice" && talkOf(this.#host)?.handleKey(event)) return;
    if (model?.view.canType !== true || !startsWriting(event)) return;
    event.preventDefault();
    event.stopPropagation();
    void this.#write(event.key);
  }

  /** The page's data layer gets events, if the owner wants it. */
  #tellDataLayer(): void {
    const { session } = this.#with;
    const name = readDataLayer(session.context?.["analytics"]);
    if (name === null) return;
    void import("../../analytics/data-layer.ts").then(({ tellDataLayer }) => {
      tellDataLayer(this.#host, name, {
        open: this.#host.hasAttribute("open"),
        live: session.state === "live",
        transcript: session.current?.transcript ?? [],
      });
    });
  }

  /** Cards and forms have no room below the picture: they open the transcript. */
  #handleMessage({ content, status }: TranscriptEntry): void {
    const { cards, buttons, form, handover } = content ?? {};
    if (status === "final" && (cards ?? buttons ?? form ?? handover)) this.change({ textOpen: true });
  }

  async #write(text: string): Promise<void> {
    this.change({ draft: this.draft + text, textOpen: true, moreOpen: false });
    await this.#with.views.load("transcript");
    this.#with.focus.toNext(".vv-compose textarea");
    this.#host.requestUpdate();
  }
}
