import type { Attention, SessionEvents } from "./session-events.ts";
import type { Call, CallClose } from "./link/call.ts";
import { callOf, isActive, nextPhase, type PhaseSignal, type SessionPhase } from "./session-phase.ts";
import type { TypedEvents } from "./typed-events.ts";
import type { ClientMessage } from "../protocol/session/data-channel.ts";
import type { Answer } from "../protocol/session/exchange.ts";
import type { PublicContext } from "../protocol/session/relay-api.ts";
import type { RelaySessionRequest } from "../protocol/session/relay-session.ts";
import type { EventTerminateReason } from "../protocol/session/session-event.ts";
import type { AvatarConnection } from "./link/avatar-connection.ts";
import { openCall } from "./link/call-opening.ts";
import type { KeptSession } from "./conversation/conversation-keeper.ts";
import type { Conversation } from "./conversation/conversation.ts";
import type { MediaPlayer } from "./link/media-player.ts";
import { isOnline, untilOnline } from "./relay/network.ts";
import type { PreparedOffer } from "./link/prepared-offer.ts";
import type { SessionRelay } from "./relay/relay-client.ts";
import { VisavisError } from "./visavis-error.ts";

/** Holds the session's phase and emits an event for each change. */
export class PhaseStore {
  readonly #events: TypedEvents<SessionEvents>;
  #phase: SessionPhase<Call> = { state: "idle" };

  constructor(events: TypedEvents<SessionEvents>) {
    this.#events = events;
  }

  get current(): SessionPhase<Call> {
    return this.#phase;
  }

  /** Changes the phase by a signal, if the signal has an effect in it. */
  apply(signal: PhaseSignal<Call>): void {
    const { state: previous } = this.#phase;
    const phase = (this.#phase = nextPhase(this.#phase, signal));
    const { state } = phase;
    if (state === previous) return;
    const reason =
      phase.state === "ended" ? phase.reason : phase.state === "error" ? phase.error.code : undefined;
    this.#events.emit("statechange", { state, previous, ...(reason && { reason }) });
  }
}

/** Time between decoding the first frame and showing it: START is reported after it, */
const reportAfterMs = 250;
/** and what is only needed in a live session is fetched after this time. */
const careAfterMs = 500;
/** Longest wait for the first frame after connecting. Then the session is live without it. */
const firstFrameLimitMs = 3_000;

/** The service lost the session. A new one may continue the conversation. */
const lostReason: EventTerminateReason = "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION";
/** The service failed in a way that a new session would repeat. */
const errorReason: EventTerminateReason = "SESSION_EVENT_MISC_ERROR";

/** What a run works with. All of it outlives the run. */
interface RunTools {
  readonly relay: string;
  /** Whether the service can be reached directly. */
  readonly direct: boolean;
  readonly body: Omit<RelaySessionRequest, "client_sdp">;
  readonly phase: PhaseStore;
  readonly events: TypedEvents<SessionEvents>;
  readonly conversation: Conversation;
  readonly offers: PreparedOffer;
  loadContext(): Promise<PublicContext>;
  /** The session of the tab's last page. */
  readonly kept: KeptSession | null;
  /** Keeps the conversation for the tab's next page. False if that cannot be. */
  keep(call: Call): boolean;
  readonly attention: Attention;
  /** Sends a setting of the channel, now and on each new channel. */
  set(message: ClientMessage): void;
  /** The service has lost the session. */
  handleLost(): void;
  /** The first messages on a new channel: size, motion and voice. */
  settings(): ClientMessage[];
}

/** One session from its start to its end. Code that resumes after the end finds the scope aborted. */
export class SessionRun {
  readonly player: MediaPlayer | null;
  /** Known from the session's creation on, and after its end. */
  relay: SessionRelay | null = null;
  readonly #tools: RunTools;
  readonly #scope = new AbortController();

  constructor(tools: RunTools, player: MediaPlayer | null) {
    this.#tools = tools;
    this.player = player;
    player?.events.on("blocked", (blocked) => tools.events.emit("soundblocked", { blocked }));
  }

  /** Resolves when live. Throws VisavisError, which the phase then holds too. */
  async start(): Promise<void> {
    const { phase } = this.#tools;
    phase.apply({ type: "start" });
    // Not by `unload`, which would keep the page out of the browser's back-and-forward cache.
    addEventListener("pagehide", () => this.#leave(), { signal: this.#scope.signal });
    try {
      await Promise.race([this.#connect(), this.#untilCut()]);
    } catch (error) {
      if (this.#scope.signal.aborted) throw cutShort(error);
      if (this.#tools.kept) {
        await this.#close({ type: "over" }, "gone");
        return;
      }
      const fault = VisavisError.from(error, "connection_failed", "The session could not be started.");
      await this.#fail(fault, "fail");
      throw fault;
    }
    this.#handleUp();
    this.#care();
  }

  /** Loads what takes care of a live session, until that succeeds. */
  #care(): void {
    this.#later(careAfterMs, () => {
      import("./care/session-care.ts").then(
        ({ takeCare }) => takeCare(this, this.#tools, callOf(this.#tools.phase.current), this.#scope.signal),
        () => this.#care(),
      );
    });
  }

  /** Ends the session for the reason. Resolves when the service has confirmed it or cannot be reached. */
  async finish(reason: string, how: CallClose): Promise<void> {
    await this.#close({ type: "finished", reason }, how);
  }

  async #connect(): Promise<void> {
    const { conversation, phase, loadContext } = this.#tools;
    // Waiting costs a task even where there is a network, and a click's request is to leave in its own task.
    if (!isOnline()) await untilOnline(this.#scope.signal);
    const context = loadContext();
    // Without a context there is no session either. Its failure is handled below, after the session's own.
    context.catch(() => undefined);
    const { call, answer } = await openCall({
      ...this.#tools,
      player: this.player,
      signal: this.#scope.signal,
    });
    if (this.#scope.signal.aborted) {
      void call.close("end");
      throw cutShort();
    }
    this.relay = call.relay;
    phase.apply({ type: "created", call });
    conversation.connect({
      get speaks() {
        return call.connection !== null && !call.connection.link.isSilent;
      },
      get up() {
        return phase.current.state === "live" && !call.connection?.quiet && isOnline();
      },
      deliver: (message) => call.connection?.send(message) ?? false,
      relay: call.relay,
    });
    this.#listen(call, context);
    await Promise.all([context, call.connection && this.#connectMedia(call.connection, answer)]);
    // After the first frame, so that nothing delays it.
    this.#later(reportAfterMs, () => call.heartbeat.handleConnected());
    if (!call.connection) await this.#greet(context);
  }

  /** Rejects when the run is over, so that nobody waits for a response that no longer matters. */
  #untilCut(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#scope.signal.addEventListener("abort", () => reject(cutShort()));
    });
  }

  /** The page is left. Its next one may take the session up again, if it can be kept for it. */
  #leave(): void {
    const { phase, kept, conversation, keep } = this.#tools;
    const call = callOf(phase.current);
    // What was not there yet ends, unless the visitor has said something.
    const isWanted =
      kept ??
      (phase.current.state !== "connecting" ||
        conversation.transcript.entries.some(({ role }) => role === "visitor"));
    const isKept = call !== null && isWanted && keep(call);
    void this.finish("page_left", isKept ? "leave" : "page-gone");
  }

  #handleUp(): void {
    this.#tools.phase.apply({ type: "connected" });
    this.#tools.conversation.handleUp();
  }

  /** Resolves when media plays. Throws VisavisError. */
  async #connectMedia(connection: AvatarConnection, answer: Answer | null): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ready = new Promise<void>((resolve) => {
      this.player?.events.on("ready", resolve);
      this.#scope.signal.addEventListener("abort", () => resolve());
      connection.events.on("connected", () => (timer ??= setTimeout(resolve, firstFrameLimitMs)));
    });
    await connection.connect(answer);
    await ready;
    clearTimeout(timer);
    this.#tools.events.emit("progress", { step: "sound" });
  }

  #listen(call: Call, context: Promise<PublicContext>): void {
    const { events, conversation, phase } = this.#tools;
    const { connection, heartbeat } = call;
    heartbeat.events.on("terminated", ({ reason }) => this.#handleTerminated(reason));
    heartbeat.events.on("lost", (fault) => void this.#fail(VisavisError.sessionLost(fault), "gone"));
    const unlisten = conversation.events.on("fault", (error) => this.#handleFault(error));
    this.#scope.signal.addEventListener("abort", unlisten);
    if (!connection) return;
    connection.events.on("answered", () => events.emit("progress", { step: "room" }));
    connection.events.on("connected", () => {
      if (phase.current.state === "connecting") events.emit("progress", { step: "avatar" });
    });
    connection.events.on("stream", (stream) => this.#play(stream));
    connection.events.on("heard", (heard) => conversation.handleHeard(heard));
    connection.events.on("message", (message) => conversation.handleMessage(message));
    connection.events.on("channelopen", ({ rejoined, heardAtMs }) => {
      for (const message of this.#tools.settings()) connection.send(message);
      if (rejoined) conversation.handleRejoined(heardAtMs);
      else void this.#greet(context);
    });
    connection.events.on("lost", () => {
      phase.apply({ type: "link-lost" });
      // Before the session is live, there is no start to report.
      if (phase.current.state === "connecting") return;
      // If the service has ended the session, a heartbeat tells why. Recovery would only find it gone.
      void heartbeat.beatNow();
    });
    connection.events.on("attempt", (attempt) => events.emit("reconnectattempt", attempt));
    connection.events.on("restored", () => this.#handleUp());
    connection.events.on("failed", (error) => void this.#handleConnectionFailed(call, error));
  }

  #play(stream: MediaStream | null): void {
    if (!this.player) return;
    this.player.attach(stream);
    this.#tools.events.emit("media", { element: this.player.element });
  }

  /** The avatar greets only if nothing was said yet. After an error the conversation continues. */
  async #greet(context: Promise<PublicContext>): Promise<void> {
    const greeting = await context.then(({ greeting: text }) => text).catch(() => "");
    const { conversation } = this.#tools;
    if (this.#scope.signal.aborted) return;
    if (conversation.transcript.entries.every(({ content }) => content)) conversation.say(greeting);
    conversation.sayWaiting();
  }

  async #handleConnectionFailed(call: Call, error: VisavisError): Promise<void> {
    if (error.code === "session_lost") await call.heartbeat.beatNow();
    await this.#fail(error, error.code === "session_lost" ? "gone" : "fail");
  }

  #handleTerminated(reason: string): void {
    if (reason === lostReason || reason === errorReason)
      void this.#fail(VisavisError.sessionLost(), "gone", reason === lostReason);
    else void this.finish(reason || "terminated", "gone");
  }

  #handleFault(error: VisavisError): void {
    if (this.#scope.signal.aborted) return;
    if (error.code === "session_lost") void this.#fail(error, "gone");
    else this.#report(error);
  }

  async #fail(error: VisavisError, how: CallClose, renews = error.code === "session_lost"): Promise<void> {
    if (this.#scope.signal.aborted) return;
    const closed = this.#close({ type: "failed", error }, how, `${error.code}: ${error.message}`);
    this.#report(error);
    if (renews) this.#tools.handleLost();
    await closed;
  }

  #report({ code, message, limit }: VisavisError): void {
    this.#tools.events.emit("error", { code, message, limit });
  }

  async #close(signal: PhaseSignal<Call>, how: CallClose, detail?: string): Promise<void> {
    const { phase, conversation } = this.#tools;
    if (this.#scope.signal.aborted || !isActive(phase.current)) return;
    this.#scope.abort();
    // Report the end first: the page may be closing.
    const reported = callOf(phase.current)?.close(how, detail);
    conversation.disconnect(signal.type !== "finished");
    this.player?.release();
    phase.apply(signal);
    await reported;
  }

  /** Runs something later, unless the run is over by then. */
  #later(delayMs: number, job: () => void): void {
    const timer = setTimeout(job, delayMs);
    this.#scope.signal.addEventListener("abort", () => clearTimeout(timer));
  }
}

const cutShort = (cause?: unknown): VisavisError =>
  new VisavisError("connection_failed", "The session was ended. Start a new one.", cause);
