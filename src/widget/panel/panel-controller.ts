import { moveInToolbar, startsWriting } from "./focus.ts";
import type { PanelActions } from "./controls.ts";
import type { SessionHold } from "../session/session-controller.ts";

/** What the controls need of their element. */
export interface ControlsHost {
  readonly hold: SessionHold;
  changed(): void;
  /** Fetches the context, then begins or asks for consent. */
  enter(): Promise<void>;
  /** Minimises the panel; the session goes on. */
  close(): void;
  isRtl(): boolean;
  canType(): boolean;
  canClose(): boolean;
  captionsOn(): boolean;
  textIsOpen(): boolean;
  /** Resolves when the composer can be drawn. */
  textReady(): Promise<unknown>;
  /** Puts the focus into the composer, at the end of what stands there. */
  focusField(): void;
}

/** What the visitor does in the panel, by pointer and by key, and what it has changed there. */
export class PanelControls implements PanelActions {
  /** The visitor has asked to start and the session has not answered yet. */
  starting = false;
  moreOpen = false;
  /** Null until the visitor has chosen. */
  textOpen: boolean | null = null;
  captions: boolean | null = null;
  draft = "";
  readonly #host: ControlsHost;

  constructor(host: ControlsHost) {
    this.#host = host;
  }

  /** Starts the session in a visitor's gesture. The page learns of a failure by event; the visitor sees it. */
  begin = (): void => {
    const { hold } = this.#host;
    // Without its context it is not known yet whether the owner wants consent first.
    if (hold.context) this.start().catch(() => undefined);
    else void this.#host.enter();
  };

  async start(): Promise<void> {
    this.starting = true;
    this.moreOpen = false;
    this.#host.changed();
    try {
      await this.#host.hold.session.start();
    } finally {
      this.starting = false;
      this.#host.changed();
    }
  }

  minimise = (): void => {
    this.moreOpen = false;
    this.#host.close();
  };

  interrupt = (): void => {
    this.#host.hold.current?.interrupt();
  };

  hear = (): void => {
    void this.#host.hold.current?.resumeSound();
  };

  end = (): void => {
    this.moreOpen = false;
    void this.#host.hold.current?.end();
  };

  send = (text: string): void => {
    // A failure is told by the session's error event.
    this.#host.hold.session.send(text).catch(() => undefined);
  };

  toggleText = (): void => {
    this.textOpen = !this.#host.textIsOpen();
    this.#host.changed();
    if (this.textOpen) void this.#write("");
  };

  toggleCaptions = (): void => {
    this.captions = !this.#host.captionsOn();
    this.#host.changed();
  };

  toggleMore = (): void => {
    this.moreOpen = !this.moreOpen;
    this.#host.changed();
  };

  changeDraft = (draft: string): void => {
    this.draft = draft;
    this.#host.changed();
  };

  onKey = (event: KeyboardEvent): void => {
    const inField = (event.target as HTMLElement).matches("textarea");
    // The page sees the element as the target, so its own one-letter shortcuts would fire while the visitor types.
    if (inField && event.key !== "Escape") event.stopPropagation();
    if (event.key === "Escape" && !event.isComposing) this.#escape(event);
    else if (moveInToolbar(event, this.#host.isRtl())) event.preventDefault();
    else if (this.#host.canType() && startsWriting(event)) {
      event.preventDefault();
      event.stopPropagation();
      void this.#write(event.key);
    }
  };

  /** A modal dialog's own way of closing (Escape, a phone's back gesture). */
  onCancel = (event: Event): void => {
    event.preventDefault();
    this.#leave();
  };

  #escape(event: KeyboardEvent): void {
    if (!this.moreOpen && !this.#host.canClose()) return;
    event.preventDefault();
    event.stopPropagation();
    this.#leave();
  }

  #leave(): void {
    if (this.moreOpen) this.toggleMore();
    else this.minimise();
  }

  async #write(text: string): Promise<void> {
    this.draft += text;
    this.textOpen = true;
    this.moreOpen = false;
    await this.#host.textReady();
    this.#host.changed();
    this.#host.focusField();
  }
}
