import {
  createAvatarSession,
  type Activity,
  type AvatarSession,
  type AvatarSessionOptions,
  type ClientTool,
  type MicrophoneState,
  type SessionState,
  type TranscriptEntry,
} from "../client/index.ts";
import type { Variables } from "../protocol/session/variables.ts";
import type { RichContent } from "../protocol/answers/rich-content.ts";
import { announce, type VisavisEventMap } from "./session/element-events.ts";
import { defaultRelay } from "./settings/default-relay.ts";
import { PanelElement } from "./panel/panel-element.ts";

/**
 * The element `<visavis-avatar>`: its contract with the page. Attributes, events, parts and style properties are listed in
 * `protocol/page/element-contract.ts`.
 */
export class VisavisAvatar extends PanelElement {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, "open", "lang", "render"];
  }

  constructor() {
    super();
    // Until now the loader's stand-ins have answered, as properties of the element itself.
    const { volume } = this;
    for (const name of Object.getOwnPropertyNames(VisavisAvatar.prototype))
      Reflect.deleteProperty(this, name);
    if (volume < 1) this.volume = volume;
  }

  /** State of the session. */
  get state(): SessionState {
    return this.session.state;
  }

  /** What the avatar does while the session is live. */
  get activity(): Activity {
    return this.session.current?.activity ?? "idle";
  }

  get sessionId(): string | null {
    return this.session.current?.sessionId ?? null;
  }

  /** What was said, oldest first. */
  get transcript(): readonly TranscriptEntry[] {
    return this.session.current?.transcript ?? [];
  }

  /** Loudness of the avatar, 0 to 1. */
  get volume(): number {
    return this.session.volume;
  }

  set volume(volume: number) {
    this.session.volume = volume;
  }

  /** Opens the panel of a bubble. The visitor or `start()` starts the conversation. */
  open(): void {
    this.setAttribute("open", "");
  }

  /** Minimises the panel. A conversation goes on. */
  close(): void {
    this.removeAttribute("open");
  }

  /**
   * Starts a conversation and opens the panel. Resolves when the session is live.
   *
   * @throws {VisavisError} when it cannot be started
   */
  async start(): Promise<void> {
    const started = this.panel.start();
    this.open();
    await started;
  }

  async end(): Promise<void> {
    await this.session.current?.end();
  }

  /** Sends a message of the visitor. Starts a conversation if there is none. */
  async send(text: string): Promise<void> {
    await this.panel.ask(text);
  }

  /** The avatar says exactly this. */
  say(text: string): void {
    this.panel
      .withConsent(() => {
        this.session.ensure().say(text);
      })
      .catch(() => undefined);
  }

  /**
   * Shows suggestions, buttons, cards or a form in the transcript.
   *
   * @throws {VisavisError} `invalid_content`, whose message says which field is wrong
   */
  async show(content: RichContent): Promise<void> {
    await this.session.ensure().show(content);
  }

  /** Asks for a person, as the visitor's button does. Resolves with whether somebody is there. */
  async askForPerson(): Promise<boolean> {
    return this.panel.askForPerson?.() ?? false;
  }

  /** Stops what the avatar is saying. */
  interrupt(): void {
    this.session.current?.interrupt();
  }

  /** The visitor's microphone: `off`, `asking`, `on` or `muted`. */
  get microphone(): MicrophoneState {
    return this.session.current?.microphone ?? "off";
  }

  /**
   * Turns the visitor's microphone on, for one turn or hands-free. Starts a conversation if there is none.
   *
   * @throws {VisavisError} when there is no microphone, or the conversation cannot be started
   */
  async listen(): Promise<void> {
    await this.panel.withConsent(() => this.session.ensure().listen());
  }

  /** Ends the visitor's turn, or turns a hands-free microphone off. */
  stopListening(): void {
    this.session.current?.stopListening();
  }

  /** Silences the visitor's microphone. */
  mute(): void {
    this.session.ensure().mute();
  }

  unmute(): void {
    this.session.ensure().unmute();
  }

  /** Facts for the language model about this visit. */
  setVariables(variables: Variables): void {
    this.session.setVariables(variables);
  }

  /** Offers a function of the page to the language model. */
  registerTool(tool: ClientTool): void {
    this.session.registerTool(tool);
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === "lang" || name === "render") this.requestUpdate();
    if (name === "open" && (old === null) !== (value === null)) this.#handleOpen(value !== null);
  }

  protected override makeSession(options: AvatarSessionOptions): AvatarSession {
    return createAvatarSession(options);
  }

  protected override sessionOptions(): AvatarSessionOptions {
    const { mode } = this;
    return {
      // eslint-disable-next-line regexp/no-super-linear-move -- what the page's own owner wrote
      relay: (this.relay || defaultRelay).replace(/\/+$/, ""),
      contextId: this.contextId ?? "",
      locale: this.locale,
      isDrawn: () => this.session.isDrawn ?? this.session.drawer === "local",
      view: () => ({ open: this.hasAttribute("open"), text: this.panel.textOpen === true }),
      ...(mode === "avatar" || mode === "voice" || mode === "text" ? { mode } : {}),
    };
  }

  #handleOpen(open: boolean): void {
    if (!this.traits.floating && !this.traits.leaves) return;
    if (open) {
      if (!this.session.context && this.contextId && !this.panel.starting) void this.session.loadContext();
      announce(this, "open", null);
      // The video is on its way again before the panel is drawn.
      this.session.current?.setInView(true);
      // An `open` in the page's markup must not move the page's focus.
      void this.opening.open(this.hasUpdated);
      return;
    }
    announce(this, "close", null);
    this.session.current?.finishSentence();
    void this.opening.close().then(() => {
      this.session.forgetEnd();
      this.requestUpdate();
    });
  }
}

/** Registers `<visavis-avatar>`. The first widget on a page stays. */
export function defineAvatar(): void {
  if (!customElements.get("visavis-avatar")) customElements.define("visavis-avatar", VisavisAvatar);
  // eslint-disable-next-line no-console -- the page's owner should know why this version is not used
  else console.warn("Visavis is already loaded");
}

declare global {
  interface HTMLElementTagNameMap {
    "visavis-avatar": VisavisAvatar;
  }
  // The events bubble out of the element: its ancestors can listen too.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface can be added to by no other way
  interface GlobalEventHandlersEventMap extends VisavisEventMap {}
}
