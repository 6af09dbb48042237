import {
  createAvatarSession,
  type Activity,
  type AvatarSession,
  type AvatarSessionOptions,
  type ClientTool,
  type SessionState,
  type TranscriptEntry,
} from "../client/index.ts";
import type { Variables } from "../protocol/llm-stream.ts";
import { announce, removeStandIns, type VisavisEventMap } from "./session/element-events.ts";
import { defaultRelay } from "./settings/default-relay.ts";
import { languageOf } from "./texts/language.ts";
import { PanelElement } from "./panel/panel-element.ts";

/**
 * A talking avatar (product contract, The element's contract).
 *
 * @slot header - Takes the place of the name over the picture.
 *
 * @attr {string} context-id - The public key of the embed context. Required.
 * @attr {string} relay - Base URL of the relay. Default: where `embed.js` came from, else the page's own origin.
 * @attr {bubble|inline|fullscreen} variant - How it sits in the page. Default: the owner's setting.
 * @attr {string} placement - Corner or edge of a bubble, such as `bottom-right`.
 * @attr {string} lang - Language of the conversation and the labels. Default: the page's.
 * @attr {auto|light|dark} theme
 * @attr {avatar|voice|text} mode - `text` shows the transcript only.
 * @attr {boolean} transparent - No background: the avatar stands on the page.
 * @attr {string} captions - `false` begins without captions.
 * @attr {number} padding-left - Offset of the avatar's centre from the middle, −1 to 1 frame widths.
 * @attr {number} padding-top - Its top edge, 0 to 1 frame heights from the top.
 * @attr {number} padding-height - Its height, 0 to 5 frame heights. Each in place of the owner's setting; other values
 *   are ignored.
 * @attr {boolean} open - Whether the panel of a bubble is open.
 *
 * @event visavis-statechange - `{state, previous, reason?}`
 * @event visavis-activitychange - `{activity}`
 * @event visavis-message - `{message}`: each new or changed transcript entry
 * @event visavis-caption - `{text, word, index}`
 * @event visavis-interrupted - `{message}`
 * @event visavis-toolcall - `{name, arguments}`
 * @event visavis-open
 * @event visavis-close
 * @event visavis-error - `{code, message}`
 *
 * @csspart launcher - The round launcher with its label
 * @csspart launcher-button
 * @csspart panel - The panel itself
 * @csspart window - The picture
 * @csspart ring - The ring around the picture
 * @csspart top - Name and tools
 * @csspart name
 * @csspart nameplate - The state in words
 * @csspart words - Captions and what else stands under the picture
 * @csspart dock - The controls
 * @csspart transcript
 * @csspart composer
 * @csspart page - Pages under the picture
 * @csspart error-code
 *
 * @cssproperty --visavis-brand - The owner's colour; all others follow from it
 * @cssproperty --visavis-radius-panel
 * @cssproperty --visavis-mat-width
 * @cssproperty --visavis-font
 * @cssproperty --visavis-z
 */
export class VisavisAvatar extends PanelElement {
  static override get observedAttributes(): string[] {
    return [...super.observedAttributes, "open", "lang"];
  }

  constructor() {
    super();
    const { volume } = this;
    removeStandIns(this);
    if (typeof volume === "number" && volume !== 1) this.volume = volume;
  }

  /** State of the session. */
  get state(): SessionState {
    return this.hold.state;
  }

  /** What the avatar does while the session is live. */
  get activity(): Activity {
    return this.hold.current?.activity ?? "idle";
  }

  get sessionId(): string | null {
    return this.hold.current?.sessionId ?? null;
  }

  /** What was said, oldest first. */
  get transcript(): readonly TranscriptEntry[] {
    return this.hold.current?.transcript ?? [];
  }

  /** Loudness of the avatar, 0 to 1. */
  get volume(): number {
    return this.hold.volume;
  }

  set volume(volume: number) {
    this.hold.volume = volume;
  }

  /** Opens the panel of a bubble. The conversation begins when the visitor or `start()` says so. */
  open(): void {
    this.setAttribute("open", "");
  }

  /** Minimises the panel. A conversation goes on. */
  close(): void {
    this.removeAttribute("open");
  }

  /**
   * Begins a conversation and opens the panel. Resolves when the session is live.
   *
   * @throws {VisavisError} when it cannot be begun
   */
  async start(): Promise<void> {
    const started = this.controls.start();
    this.open();
    await started;
  }

  async end(): Promise<void> {
    await this.hold.current?.end();
  }

  /** Sends a visitor's message. Begins a conversation where there is none. */
  async send(text: string): Promise<void> {
    await this.hold.session.send(text);
  }

  /** The avatar says exactly this. */
  say(text: string): void {
    this.hold.session.say(text);
  }

  /** Stops what the avatar is saying. */
  interrupt(): void {
    this.hold.current?.interrupt();
  }

  /** Silences the visitor's microphone. */
  mute(): void {
    this.hold.session.mute();
  }

  unmute(): void {
    this.hold.session.unmute();
  }

  /** Facts for the language model about this visit. */
  setVariables(variables: Variables): void {
    this.hold.setVariables(variables);
  }

  /** Offers a function of the page to the language model. */
  registerTool(tool: ClientTool): void {
    this.hold.registerTool(tool);
  }

  override attributeChangedCallback(name: string, old: string | null, value: string | null): void {
    super.attributeChangedCallback(name, old, value);
    if (name === "lang") this.requestUpdate();
    if (name === "open" && (old === null) !== (value === null)) this.#follow(value !== null);
  }

  protected override fromLauncher(): void {
    const busy = ["connecting", "live", "reconnecting"].includes(this.state);
    if (!busy) void this.enter();
    this.open();
  }

  /** In a visitor's gesture: begins, or asks for consent first where the owner wants it. */
  protected override async enter(): Promise<void> {
    this.hold.forgetEnd();
    this.controls.starting = true;
    this.requestUpdate();
    const context = this.hold.context ?? (await this.hold.loadContext());
    this.controls.starting = false;
    if (context && !context.ui.consent_text) this.controls.begin();
    else this.requestUpdate();
  }

  protected override makeSession(options: AvatarSessionOptions): AvatarSession {
    return createAvatarSession(options);
  }

  protected override sessionOptions(): AvatarSessionOptions {
    const { mode } = this;
    return {
      relay: (this.relay ?? defaultRelay).replace(/\/+$/, ""),
      contextId: this.contextId ?? "",
      locale: languageOf(this),
      ...(mode === "avatar" || mode === "voice" || mode === "text" ? { mode } : {}),
    };
  }

  #follow(open: boolean): void {
    if (this.shownVariant !== "bubble") return;
    if (open) {
      if (!this.hold.context && this.contextId && !this.controls.starting) void this.hold.loadContext();
      announce(this, "open", null);
      // An `open` that stands in the page's markup must not take the focus from it.
      void this.presence.open(this.hasUpdated);
      return;
    }
    announce(this, "close", null);
    void this.presence.close().then(() => {
      this.hold.forgetEnd();
      this.requestUpdate();
    });
  }
}

declare global {
  interface HTMLElementTagNameMap {
    "visavis-avatar": VisavisAvatar;
  }
  // The events bubble out of the element: whatever stands around it can listen too.
  // eslint-disable-next-line @typescript-eslint/no-empty-object-type -- an interface can be added to by no other way
  interface GlobalEventHandlersEventMap extends VisavisEventMap {}
}
