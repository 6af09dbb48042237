import type { PublicContext } from "../protocol/relay-api.ts";
import type { Rating } from "../protocol/rating.ts";
import type { RichContent } from "../protocol/rich-content.ts";
import type { Variables } from "../protocol/variables.ts";
import type { AvatarSessionOptions, SessionMode } from "./avatar-session.ts";
import type { ClientTool } from "./client-tool.ts";
import type { Activity, SessionEvents, SessionState } from "./session-events.ts";
import type { TranscriptEntry } from "./transcript-entry.ts";
import type { VisitorAttachments } from "./visitor-attachments.ts";
import type { MicrophoneState, VisitorVoice } from "./visitor-voice.ts";
import type * as here from "./browser-session.ts";
import { fetchContext } from "./context-request-later.ts";
import type { ConversationEvents } from "./conversation.ts";
import type { DebuggedSession } from "./debug.ts";
import { sessionMode } from "./session-mode.ts";
import { TypedEvents } from "./typed-events.ts";
import { VisavisError } from "./visavis-error.ts";

type Session = here.BrowserSession;

/**
 * Takes the place of `browser-session.ts` in the widget for conversations in writing: before its first words a session is only its
 * context and its settings. All else is loaded when the visitor reaches for the launcher, or at the first call that needs it.
 */
export class BrowserSession implements DebuggedSession {
  readonly #options: AvatarSessionOptions;
  readonly #events = new TypedEvents<ConversationEvents>();
  #context: PublicContext | null = null;
  #session: Session | null = null;
  #loading: Promise<Session> | null = null;
  /** What the session is told as soon as it is there, by what it is about: the last word on a thing counts. */
  readonly #waiting = new Map<unknown, (session: Session) => void>();
  #disposed = false;
  #failed = false;

  constructor(options: AvatarSessionOptions) {
    this.#options = options;
  }

  get mode(): SessionMode {
    return this.#session?.mode ?? sessionMode(this.#options.mode ?? "avatar", this.#context, null);
  }

  get state(): SessionState {
    return this.#session?.state ?? (this.#failed ? "error" : "idle");
  }

  get activity(): Activity {
    return this.#session?.activity ?? "idle";
  }

  get sessionId(): string | null {
    return this.#session?.sessionId ?? null;
  }

  get transcript(): readonly TranscriptEntry[] {
    return this.#session?.transcript ?? [];
  }

  get context(): PublicContext | null {
    return this.#session?.context ?? this.#context;
  }

  get mediaElement(): HTMLVideoElement | null {
    return this.#session?.mediaElement ?? null;
  }

  get connection(): Session["connection"] {
    return this.#session?.connection ?? null;
  }

  get peerConnection(): RTCPeerConnection | null {
    return this.#session?.peerConnection ?? null;
  }

  get volume(): number {
    return this.#session?.volume ?? 1;
  }

  set volume(volume: number) {
    this.#tell("volume", (session) => (session.volume = volume));
  }

  get muted(): boolean {
    return this.#session?.muted ?? false;
  }

  get microphone(): MicrophoneState {
    return this.#session?.microphone ?? "off";
  }

  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void {
    return this.#events.on(type, listener);
  }

  async loadContext(): Promise<PublicContext> {
    return (this.#context = await fetchContext(this.#options));
  }

  prepare(): void {
    this.#load().then(
      (session) => session.prepare(),
      () => undefined,
    );
  }

  async start(): Promise<void> {
    await this.#begin((session) => session.start());
  }

  async resume(): Promise<Record<string, boolean> | null> {
    return (await this.#load()).resume();
  }

  async end(): Promise<void> {
    // A start that is under way goes first, so that there is something to end.
    const session = await this.#loading?.catch(() => null);
    await session?.end();
  }

  async send(text: string): Promise<void> {
    await this.#begin((session) => session.send(text), true);
  }

  async retry(id: string): Promise<void> {
    await this.#begin((session) => session.retry(id));
  }

  discard(id: string): void {
    this.#session?.discard(id);
  }

  say(text: string): void {
    // A start may be under way: what is said comes after the greeting.
    if (this.#session) this.#session.say(text);
    else
      this.#loading?.then(
        (session) => session.say(text),
        () => undefined,
      );
  }

  async show(content: RichContent): Promise<void> {
    await (await this.#load()).show(content);
  }

  async note(text: string): Promise<void> {
    await (await this.#load()).note(text);
  }

  interrupt(): void {
    this.#session?.interrupt();
  }

  finishSentence(): void {
    this.#session?.finishSentence();
  }

  async resumeAnswer(id: string): Promise<void> {
    await this.#begin((session) => session.resumeAnswer(id));
  }

  async rate(rating: Rating): Promise<void> {
    await (await this.#load()).rate(rating);
  }

  async attachments(): Promise<VisitorAttachments> {
    return (await this.#load()).attachments();
  }

  clear(): void {
    this.#session?.clear();
  }

  async voice(): Promise<VisitorVoice> {
    return (await this.#load()).voice();
  }

  async listen(): Promise<void> {
    await this.#begin((session) => session.listen());
  }

  stopListening(): void {
    this.#session?.stopListening();
  }

  mute(): void {
    this.#tell("mute", (session) => session.mute());
  }

  unmute(): void {
    this.#tell("mute", (session) => session.unmute());
  }

  setVariables(record: Variables): void {
    this.#tell({}, (session) => session.setVariables(record));
  }

  registerTool(tool: ClientTool): void {
    this.#tell({}, (session) => session.registerTool(tool));
  }

  setReducedMotion(reduced: boolean): void {
    this.#tell("motion", (session) => session.setReducedMotion(reduced));
  }

  setVoiceRate(rate: number): void {
    this.#tell("rate", (session) => session.setVoiceRate(rate));
  }

  setVideoSize(width: number, height: number): void {
    this.#tell("size", (session) => session.setVideoSize(width, height));
  }

  stay(): void {
    this.#session?.stay();
  }

  setInView(inView: boolean): void {
    this.#tell("view", (session) => session.setInView(inView));
  }

  async resumeSound(): Promise<void> {
    await this.#session?.resumeSound();
  }

  dispose(): void {
    this.#disposed = true;
    this.#events.clear();
    this.#session?.dispose();
  }

  #tell(about: unknown, tell: (session: Session) => void): void {
    if (this.#session) tell(this.#session);
    else this.#waiting.set(about, tell);
  }

  #load(): Promise<Session> {
    this.#loading ??= this.#make();
    this.#loading.catch(() => (this.#loading = null));
    return this.#loading;
  }

  /**
   * Does what the visitor or the page wants of the session. If that cannot be loaded, it is told as the failure of a start is, and with
   * `isKept` done when it is loaded later.
   */
  async #begin(act: (session: Session) => Promise<void>, isKept = false): Promise<void> {
    let session: Session;
    try {
      session = await this.#load();
    } catch (cause) {
      if (isKept) this.#tell({}, (later) => void act(later).catch(() => undefined));
      const error = VisavisError.from(cause, "network", "A part could not be loaded. Check the connection.");
      const { code, message } = error;
      const { state: previous } = this;
      this.#failed = true;
      this.#events.emit("statechange", { state: "error", previous, reason: code });
      this.#events.emit("error", { code, message });
      throw error;
    }
    await act(session);
  }

  async #make(): Promise<Session> {
    const { BrowserSession: Loaded } = await import("./browser-session.ts");
    if (this.#disposed) throw VisavisError.connectionFailed();
    const session = new Loaded(this.#options, this.#events);
    // It has what was fetched already.
    if (this.#context) await session.loadContext();
    this.#session = session;
    for (const tell of this.#waiting.values()) tell(session);
    this.#waiting.clear();
    return session;
  }
}
