import type { ClientMessage } from "../protocol/data-channel.ts";
import type { Variables } from "../protocol/llm-stream.ts";
import type { PublicContext } from "../protocol/relay-api.ts";
import type {
  Activity,
  AvatarSession,
  AvatarSessionOptions,
  ClientTool,
  SessionEvents,
  SessionState,
  TranscriptEntry,
} from "./avatar-session.ts";
import { Conversation } from "./conversation.ts";
import { MediaPlayer } from "./media-player.ts";
import { PhaseKeeper } from "./phase-keeper.ts";
import { PreparedOffer } from "./prepared-offer.ts";
import { fetchContext } from "./relay-client.ts";
import { RelayFault } from "./relay-fault.ts";
import { callOf, isActive } from "./session-phase.ts";
import { SessionRun } from "./session-run.ts";
import { TypedEvents } from "./typed-events.ts";
import { visitorId } from "./visitor-id.ts";

/** The session in a browser: what the page asks for and sets, over any number of runs one after the other. */
export class BrowserSession implements AvatarSession {
  readonly #options: AvatarSessionOptions;
  readonly #mode: "avatar" | "voice" | "text";
  readonly #events = new TypedEvents<SessionEvents>();
  readonly #phase = new PhaseKeeper(this.#events);
  readonly #conversation = new Conversation();
  readonly #offers = new PreparedOffer();
  #run: SessionRun | null = null;
  #starting: Promise<void> | null = null;
  #context: PublicContext | null = null;
  #contextRequest: Promise<PublicContext> | null = null;
  #volume = 1;
  #muted = false;
  #disposed = false;
  /** Why the last start was refused. */
  #refusal: RelayFault | null = null;
  #reducedMotion = false;
  #size: { width: number; height: number } | null = null;

  constructor(options: AvatarSessionOptions) {
    this.#options = options;
    this.#mode = options.mode ?? "avatar";
    this.#conversation.forward(this.#events);
  }

  get state(): SessionState {
    return this.#phase.current.state;
  }

  get activity(): Activity {
    return this.#conversation.activity;
  }

  /** Whether the service has lost the session, and nobody has started another one or taken the element away. */
  get isLost(): boolean {
    return !this.#disposed && this.state === "error";
  }

  get sessionId(): string | null {
    return callOf(this.#phase.current)?.relay.sessionId ?? null;
  }

  get transcript(): readonly TranscriptEntry[] {
    return this.#conversation.transcript.entries;
  }

  get context(): PublicContext | null {
    const context = this.#context;
    const video = callOf(this.#phase.current)?.relay.video;
    // How the video is sent is the service's to say; the context only knows what the model style may send.
    if (video && context && video.matte !== context.model_style.matte)
      this.#context = { ...context, model_style: { ...context.model_style, ...video } };
    return this.#context;
  }

  get mediaElement(): HTMLVideoElement | null {
    return isActive(this.#phase.current) ? (this.#run?.player?.element ?? null) : null;
  }

  get volume(): number {
    return this.#volume;
  }

  set volume(volume: number) {
    this.#volume = Math.min(Math.max(volume, 0), 1);
    if (this.mediaElement) this.mediaElement.volume = this.#volume;
  }

  get muted(): boolean {
    return this.#muted;
  }

  on<K extends keyof SessionEvents>(type: K, listener: (detail: SessionEvents[K]) => void): () => void {
    return this.#events.on(type, listener);
  }

  async loadContext(): Promise<PublicContext> {
    this.#contextRequest ??= fetchContext(this.#options.relay, this.#options.contextId);
    try {
      return (this.#context = await this.#contextRequest);
    } catch (error) {
      this.#contextRequest = null;
      throw error;
    }
  }

  prepare(): void {
    const useful = !isActive(this.#phase.current) && this.#mode !== "text" && this.#context?.direct !== false;
    if (useful && typeof RTCPeerConnection !== "undefined") this.#offers.prepare(this.#mode === "avatar");
  }

  async start(): Promise<void> {
    if (this.state === "live" || this.state === "reconnecting") return;
    this.#starting ??= this.#startRun().finally(() => (this.#starting = null));
    await this.#starting;
  }

  async end(): Promise<void> {
    await this.#run?.finish("ended_by_visitor", "end");
  }

  async send(text: string): Promise<void> {
    if (!text.trim()) return;
    await this.start();
    await this.#conversation.ask(text.trim());
  }

  say(text: string): void {
    if (this.state === "connecting") this.#conversation.sayLater(text);
    else if (isActive(this.#phase.current)) this.#conversation.say(text);
  }

  interrupt(): void {
    this.#conversation.interrupt();
  }

  mute(): void {
    this.#muted = true;
  }

  unmute(): void {
    this.#muted = false;
  }

  setVariables(record: Variables): void {
    this.#conversation.setVariables(record);
  }

  registerTool(tool: ClientTool): void {
    this.#conversation.tools.register(tool);
  }

  setReducedMotion(reduced: boolean): void {
    if (reduced === this.#reducedMotion) return;
    this.#reducedMotion = reduced;
    this.#deliver({ type: "motion", data: { reduced } });
  }

  setVideoSize(width: number, height: number): void {
    const pixels = (length: number): number => Math.min(Math.max(Math.round(length), 16), 4_096);
    const size = { width: pixels(width), height: pixels(height) };
    if (size.width === this.#size?.width && size.height === this.#size.height) return;
    this.#size = size;
    this.#deliver({ type: "change-size", data: size });
  }

  async resumeSound(): Promise<void> {
    await this.#run?.player?.resume();
  }

  dispose(): void {
    this.#disposed = true;
    this.#offers.discard();
    void this.#run?.finish("disposed", "page-gone");
    this.#events.clear();
  }

  async #startRun(): Promise<void> {
    // A rate limit holds until its reset: asking before would only be refused again.
    if (this.#refusal && performance.now() < this.#refusal.retryAtMs) throw this.#refusal;
    // A start after a fault goes on with the conversation; one after an end begins a new one.
    if (this.state === "ended") this.#conversation.clear();
    const { relay, contextId, locale } = this.#options;
    const run = new SessionRun(
      {
        relay,
        direct: this.#context?.direct ?? true,
        body: {
          context_id: contextId,
          mode: this.#mode,
          visitor_id: visitorId(),
          variables: this.#conversation.variables,
          ...(locale && { locale }),
        },
        phase: this.#phase,
        events: this.#events,
        conversation: this.#conversation,
        offers: this.#offers,
        loadContext: () => this.loadContext(),
        handleLost: () => void this.#renew(),
        settings: () => this.#settings(),
      },
      this.#mode === "text" ? null : new MediaPlayer(this.#volume),
    );
    this.#run = run;
    try {
      await run.start();
    } catch (error) {
      if (error instanceof RelayFault) this.#refusal = error;
      throw error;
    }
  }

  async #renew(): Promise<void> {
    const { renewSession } = await import("./session-renewal.ts");
    renewSession(this);
  }

  #settings(): ClientMessage[] {
    return [
      ...(this.#size ? [{ type: "change-size" as const, data: this.#size }] : []),
      ...(this.#reducedMotion ? [{ type: "motion" as const, data: { reduced: true } }] : []),
    ];
  }

  #deliver(message: ClientMessage): void {
    callOf(this.#phase.current)?.connection?.send(message);
  }
}
