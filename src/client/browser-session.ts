import type { ClientMessage } from "../protocol/session/data-channel.ts";
import type { Variables } from "../protocol/session/variables.ts";
import type { VisitorMessage } from "../protocol/session/visitor-message.ts";
import type { Rating } from "../protocol/answers/rating.ts";
import type { PublicContext } from "../protocol/session/relay-api.ts";
import type { RichContent } from "../protocol/answers/rich-content.ts";
import type { AvatarSession, AvatarSessionOptions, SessionMode } from "./link/avatar-session.ts";
import type { ClientTool } from "./conversation/client-tool.ts";
import type { Activity, Attention, MicrophoneState, SessionEvents, SessionState } from "./session-events.ts";
import type { TranscriptEntry, VisitorAttachments } from "./conversation/transcript-entry.ts";
import type { ConversationKeeper, KeptHost, KeptSession } from "./conversation/conversation-keeper.ts";
import { Conversation, type ConversationEvents } from "./conversation/conversation.ts";
import { MediaPlayer } from "./link/media-player.ts";
import { PreparedOffer } from "./link/prepared-offer.ts";
import { fetchContext } from "./relay/context-request.ts";
import { isOnline } from "./relay/network.ts";
import { PhaseStore, SessionRun } from "./session-run.ts";
import { RelayFault } from "./relay/relay-fault.ts";
import { hasPeers, sessionMode } from "./session-mode.ts";
import { callOf, isActive } from "./session-phase.ts";
import { TypedEvents } from "./typed-events.ts";
import { VisavisError } from "./visavis-error.ts";
import { visitorId } from "./visitor-id.ts";
import type { Voice } from "./voice/voice.ts";

/** The session in a browser: the page's calls and settings, over any number of consecutive runs. */
export class BrowserSession implements AvatarSession, KeptHost {
  readonly options: AvatarSessionOptions;
  readonly #events = new TypedEvents<ConversationEvents>();
  readonly #phase: PhaseStore;
  readonly conversation: Conversation;
  readonly #offers = new PreparedOffer(() => this.mode === "avatar" && !this.options.isDrawn?.());
  #run: SessionRun | null = null;
  #starting: Promise<void> | null = null;
  #context: PublicContext | null = null;
  #contextRequest: Promise<PublicContext> | null = null;
  #volume = 1;
  muted = false;
  #voice: Voice | null = null;
  #disposed = false;
  /** Why the last start failed. */
  #refusal: RelayFault | null = null;
  #keeper: ConversationKeeper | null = null;
  /** The settings of the channel that were made so far: size, motion, voice, pause. */
  readonly #settings = new Map<string, ClientMessage>();
  readonly #attention: Attention = { inView: true };

  constructor(options: AvatarSessionOptions) {
    this.options = options;
    this.#phase = new PhaseStore(this.#events);
    this.conversation = new Conversation(this.#events, options.locale);
  }

  get mode(): SessionMode {
    return sessionMode(this.options.mode ?? "avatar", this.#context, this.connection);
  }

  get state(): SessionState {
    return this.#phase.current.state;
  }

  get activity(): Activity {
    return this.conversation.activity;
  }

  /** Whether the service has lost the session and no other one was started and the element not removed since. */
  get isLost(): boolean {
    return !this.#disposed && this.state === "error";
  }

  get sessionId(): string | null {
    return callOf(this.#phase.current)?.relay.sessionId ?? null;
  }

  get transcript(): readonly TranscriptEntry[] {
    return this.conversation.transcript.entries;
  }

  get context(): PublicContext | null {
    const context = this.#context;
    const video = callOf(this.#phase.current)?.relay.video;
    // The service decides how the video is sent. The context only says what the model style supports.
    if (video && context && video.matte !== context.model_style.matte)
      this.#context = { ...context, model_style: { ...context.model_style, ...video } };
    return this.#context;
  }

  get mediaElement(): HTMLVideoElement | null {
    return isActive(this.#phase.current) ? (this.#run?.player?.element ?? null) : null;
  }

  get connection(): NonNullable<AvatarSession["connection"]> | null {
    return callOf(this.#phase.current)?.connection ?? null;
  }

  /** For debugging, and for the visitor's microphone. */
  get peerConnection(): RTCPeerConnection | null {
    return this.connection?.link.peerConnection ?? null;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = Math.min(Math.max(volume, 0), 1);
    if (this.mediaElement) this.mediaElement.volume = this.#volume;
  }

  get microphone(): MicrophoneState {
    return this.#voice?.status.state ?? "off";
  }

  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void {
    return this.#events.on(type, listener);
  }

  async loadContext(): Promise<PublicContext> {
    this.#contextRequest ??= fetchContext(this.options);
    try {
      return (this.#context = await this.#contextRequest);
    } catch (error) {
      this.#contextRequest = null;
      throw error;
    }
  }

  prepare(): void {
    if (isActive(this.#phase.current) || this.mode === "text") return;
    if (hasPeers() && this.#context?.direct !== false) this.#offers.prepare();
  }

  async start(): Promise<void> {
    if (this.state === "live" || this.state === "reconnecting") return;
    await this.#begin(null);
  }

  get persist(): "off" | "tab" | undefined {
    return this.options.persist ?? this.#context?.persist;
  }

  get isFree(): boolean {
    return !this.#disposed && !isActive(this.#phase.current);
  }

  startKept(kept: KeptSession): void {
    // A session that is over is no failure: the next message begins a new one.
    this.#begin(kept).catch(() => undefined);
  }

  async resume(): Promise<Record<string, boolean> | null> {
    return (await this.#loadKeeper()).resume();
  }

  async end(): Promise<void> {
    await this.#run?.finish("ended_by_visitor", "end");
  }

  async send(text: string): Promise<void> {
    const message = text.trim();
    if (!message) return;
    if (isOnline()) {
      await this.#startFor(message);
      await this.conversation.ask(message);
      return;
    }
    const started = this.start();
    void this.conversation.ask(message);
    await started;
  }

  async retry(id: string): Promise<void> {
    await this.start();
    await (await this.conversation.turnsOf(id)).retry(id);
  }

  discard(id: string): void {
    void this.conversation.turnsOf(id).then((turns) => turns.discard(id));
  }

  say(text: string): void {
    if (this.state === "connecting") this.conversation.sayLater(text);
    else if (isActive(this.#phase.current)) this.conversation.say(text);
  }

  async show(content: RichContent): Promise<void> {
    (await this.conversation.turnsOf()).show(content);
  }

  async note(text: string): Promise<void> {
    (await this.conversation.turnsOf()).note(text);
  }

  interrupt(): void {
    this.conversation.interrupt();
  }

  finishSentence(): void {
    this.conversation.finishSentence();
  }

  async resumeAnswer(id: string): Promise<void> {
    await this.start();
    await (await this.conversation.turnsOf(id)).resume(id);
  }

  async rate(rating: Rating): Promise<void> {
    await (await this.conversation.turnsOf()).rate(this.#run?.relay, rating);
  }

  async leaveMessage(message: VisitorMessage): Promise<void> {
    await (await this.conversation.turnsOf()).leaveMessage(this.#run?.relay, message);
  }

  async attachments(): Promise<VisitorAttachments> {
    return (await this.conversation.turnsOf()).attachments();
  }

  clear(): void {
    this.conversation.clear();
    this.#events.emit("clear", undefined);
  }

  async voice(): Promise<Voice> {
    const { Voice } = await import("./voice/voice.ts");
    this.#voice ??= new Voice(this, this.#events);
    // The session may have gone while this was being loaded. Its listeners would keep the page's element.
    if (this.#disposed) this.#voice.dispose();
    return this.#voice;
  }

  async listen(): Promise<void> {
    return (await this.voice()).listen();
  }

  stopListening(): void {
    this.#voice?.stop();
  }

  mute(): void {
    this.muted = true;
    this.#voice?.mute();
  }

  unmute(): void {
    this.muted = false;
    this.#voice?.mute();
  }

  setVariables(record: Variables): void {
    this.conversation.setVariables(record);
  }

  registerTool(tool: ClientTool): void {
    this.conversation.tools.set(tool.name, tool);
  }

  setReducedMotion(reduced: boolean): void {
    this.#set({ type: "motion", data: { reduced } }, !reduced);
  }

  setVoiceRate(rate: number): void {
    this.conversation.voiceRate = rate;
    this.#set({ type: "voice", data: { rate } }, rate === 1);
  }

  setVideoSize(width: number, height: number): void {
    const pixels = (length: number): number => Math.min(Math.max(Math.round(length), 16), 4_096);
    this.#set({ type: "change-size", data: { width: pixels(width), height: pixels(height) } });
  }

  stay(): void {
    this.#attention.handle?.(true);
  }

  setInView(inView: boolean): void {
    this.#attention.inView = inView;
    this.#attention.handle?.();
  }

  async resumeSound(): Promise<void> {
    await this.#run?.player?.resume();
  }

  dispose(): void {
    this.#disposed = true;
    this.#voice?.dispose();
    this.#offers.discard();
    void this.#run?.finish("disposed", "page-gone");
    this.conversation.stopWaiting();
    this.#events.clear();
  }

  /** Starts the session for a message, which is kept when that fails. */
  async #startFor(text: string): Promise<void> {
    try {
      await this.start();
    } catch (error) {
      if (this.state === "error" && error instanceof VisavisError)
        (await this.conversation.turnsOf()).keepFailed(text, error.code);
      throw error;
    }
  }

  async #loadKeeper(): Promise<ConversationKeeper> {
    const { ConversationKeeper } = await import("./conversation/conversation-keeper.ts");
    return (this.#keeper ??= new ConversationKeeper(this));
  }

  /** Starts a run, unless one is starting already. */
  #begin(kept: KeptSession | null): Promise<void> {
    return (this.#starting ??= this.#startRun(kept).finally(() => (this.#starting = null)));
  }

  async #startRun(kept: KeptSession | null): Promise<void> {
    // A request before the rate limit's reset would only be refused again.
    if (this.#refusal && performance.now() < this.#refusal.retryAtMs) throw this.#refusal;
    // A start after an error continues the conversation. A start after an end begins a new one.
    if (this.state === "ended" && !kept) this.conversation.clear();
    this.#settings.delete("pause");
    // Its failure is the start's own.
    if (!hasPeers() && this.options.mode !== "text") await this.loadContext().catch(() => null);
    // The page may be left at any time from now on.
    this.#loadKeeper().catch(() => undefined);
    const { relay, contextId, locale } = this.options;
    this.#run = new SessionRun(
      {
        relay,
        direct: this.#context?.direct ?? true,
        body: {
          context_id: contextId,
          mode: this.mode,
          visitor_id: visitorId(),
          variables: this.conversation.variables,
          ...(locale && { locale }),
        },
        phase: this.#phase,
        events: this.#events,
        conversation: this.conversation,
        offers: this.#offers,
        kept,
        keep: (call) => this.#keeper?.keep(call) ?? false,
        loadContext: () => this.loadContext(),
        handleLost: () =>
          void import("./care/session-renewal.ts").then(({ renewSession }) => renewSession(this)),
        attention: this.#attention,
        set: (message) => this.#set(message),
        settings: () => [...this.#settings.values()],
      },
      this.mode === "text" ? null : new MediaPlayer(this.#volume),
    );
    try {
      await this.#run.start();
    } catch (error) {
      if (error instanceof RelayFault) this.#refusal = error;
      throw error;
    }
  }

  /** Keeps a setting of the channel, and sends it if it has changed. `isUsual`: the service takes it for granted. */
  #set(message: ClientMessage, isUsual = false): void {
    const known = this.#settings.get(message.type);
    if (known ? JSON.stringify(message) === JSON.stringify(known) : isUsual) return;
    this.#settings.set(message.type, message);
    this.connection?.send(message);
  }
}
