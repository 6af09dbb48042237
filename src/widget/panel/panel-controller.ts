import type { ReactiveController } from "lit";
import type { SessionController } from "../session/session-controller.ts";
import type { FocusController } from "./focus-controller.ts";
import { startsWriting } from "./focus.ts";
import type { LazyViews } from "./lazy-views.ts";
import type { PanelActions, PanelHost } from "./panel-host.ts";

/** The controllers that the visitor's actions work with. */
interface Partners {
  readonly session: SessionController;
  readonly focus: FocusController;
  readonly views: LazyViews;
}

/** The visitor's actions in the panel, by pointer and by key, and the choices made there. */
export class PanelController implements PanelActions, ReactiveController {
  /** The visitor has asked to start and the session has not answered yet. */
  starting = false;
  moreOpen = false;
  /** Null until the visitor has chosen. */
  textOpen: boolean | null = null;
  captions: boolean | null = null;
  draft = "";
  copied = false;
  readonly #host: PanelHost;
  readonly #with: Partners;

  constructor(host: PanelHost, partners: Partners) {
    this.#host = host;
    this.#with = partners;
    host.addController(this);
  }

  hostDisconnected(): void {
    this.copied = false;
  }

  /** In a visitor's gesture: starts, or asks for consent first where the owner wants it. */
  async enter(): Promise<void> {
    const { session } = this.#with;
    session.forgetEnd();
    this.#change({ starting: true });
    const context = session.context ?? (await session.loadContext());
    this.#change({ starting: false });
    if (context && !context.ui.consent_text) this.begin();
  }

  /** Starts the session in a visitor's gesture. A failure is sent to the page as an event, and shown to the visitor. */
  begin = (): void => {
    // Without its context it is not known whether the owner wants consent first.
    if (this.#with.session.context) this.start().catch(() => undefined);
    else void this.enter();
  };

  /** Starts the session. Rejects with VisavisError. */
  async start(): Promise<void> {
    this.#change({ starting: true, moreOpen: false, copied: false });
    try {
      await this.#with.session.ensure().start();
    } finally {
      this.#change({ starting: false });
    }
  }

  minimise = (): void => {
    this.moreOpen = false;
    this.#host.removeAttribute("open");
  };

  interrupt = (): void => {
    this.#with.session.current?.interrupt();
  };

  playSound = (): void => {
    void this.#with.session.current?.resumeSound();
  };

  end = (): void => {
    this.moreOpen = this.copied = false;
    void this.#with.session.current?.end();
  };

  send = (text: string): void => {
    // The session's error event tells of a failure.
    this.#with.session
      .ensure()
      .send(text)
      .catch(() => undefined);
  };

  toggleText = (): void => {
    const textOpen = !this.#host.model?.textOpen;
    this.#change({ textOpen });
    if (textOpen) void this.#write("");
  };

  toggleCaptions = (): void => {
    this.#change({ captions: !this.#host.model?.captionsOn });
  };

  toggleMore = (): void => {
    this.#change({ moreOpen: !this.moreOpen, copied: false });
  };

  changeDraft = (draft: string): void => {
    this.#change({ draft });
  };

  handleCopy = (): void => {
    this.#change({ copied: true });
  };

  handleKey = (event: KeyboardEvent): void => {
    const target = event.target as HTMLElement;
    // For the page the element is the target: its one-letter shortcuts would fire while the visitor types.
    if (target.matches("textarea") && event.key !== "Escape") event.stopPropagation();
    if (event.key === "Escape" && !event.isComposing) this.#handleEscape(event);
    else if (this.#canStartWriting() && startsWriting(event)) {
      event.preventDefault();
      event.stopPropagation();
      void this.#write(event.key);
    }
  };

  /** A modal dialog's own way to close: Escape, or a phone's back gesture. */
  handleCancel = (event: Event): void => {
    event.preventDefault();
    this.#leave();
  };

  #handleEscape(event: KeyboardEvent): void {
    if (!this.moreOpen && !this.#host.model?.traits.floating) return;
    event.preventDefault();
    event.stopPropagation();
    this.#leave();
  }

  #leave(): void {
    if (this.moreOpen) this.toggleMore();
    else this.minimise();
  }

  #canStartWriting(): boolean {
    const { model } = this.#host;
    return model?.view.canType === true && !model.textOpen;
  }

  async #write(text: string): Promise<void> {
    this.draft += text;
    this.textOpen = true;
    this.moreOpen = false;
    await this.#with.views.load("transcript");
    this.#with.focus.toField();
    this.#host.requestUpdate();
  }

  #change(
    choices: Partial<Pick<this, "starting" | "moreOpen" | "textOpen" | "captions" | "draft" | "copied">>,
  ): void {
    Object.assign(this, choices);
    this.#host.requestUpdate();
  }
}
