import type { ClientMessage } from "../protocol/data-channel.ts";
import type { Answer } from "../protocol/exchange.ts";
import type { PublicContext, RelaySessionRequest } from "../protocol/relay-api.ts";
import type { EventTerminateReason } from "../protocol/session-event.ts";
import type { SessionEvents } from "./avatar-session.ts";
import type { AvatarConnection } from "./avatar-connection.ts";
import type { Call, CallClose } from "./call.ts";
import { openCall } from "./call-opening.ts";
import type { Conversation } from "./conversation.ts";
import type { MediaPlayer } from "./media-player.ts";
import { watchPage } from "./page-watch.ts";
import type { PhaseKeeper } from "./phase-keeper.ts";
import type { PreparedOffer } from "./prepared-offer.ts";
import { callOf, isActive, type PhaseSignal } from "./session-phase.ts";
import type { TypedEvents } from "./typed-events.ts";
import { VisavisError } from "./visavis-error.ts";

/** The first picture is decoded before it is on the screen: the report of the start waits so long for it, */
const reportAfterMs = 250;
/** and what is fetched for later so long. */
const fetchAheadMs = 500;
/** Once connected, the first picture is waited for so long; then the session is live without it. */
const firstFrameLimitMs = 3_000;

/** The service lost the session: a fresh one may go on with the conversation. */
const lostReason: EventTerminateReason = "SESSION_EVENT_SESSION_LOST_AFTER_CONNECTION";
/** The service could not go on with the session, nor would it with a fresh one. */
const errorReason: EventTerminateReason = "SESSION_EVENT_MISC_ERROR";

/** What a run works with; all of it outlives the run. */
export interface RunTools {
  readonly relay: string;
  /** Whether the service can be reached without servers between. */
  readonly direct: boolean;
  readonly body: Omit<RelaySessionRequest, "client_sdp">;
  readonly phase: PhaseKeeper;
  readonly events: TypedEvents<SessionEvents>;
  readonly conversation: Conversation;
  readonly offers: PreparedOffer;
  loadContext(): Promise<PublicContext>;
  /** The service has lost the session. */
  handleLost(): void;
  /** What a newly opened channel is told first: size and motion. */
  settings(): ClientMessage[];
}

/** One session from its start to its end. Whatever comes after the end, from any await, finds the scope aborted. */
export class SessionRun {
  readonly player: MediaPlayer | null;
  readonly #tools: RunTools;
  readonly #scope = new AbortController();

  constructor(tools: RunTools, player: MediaPlayer | null) {
    this.#tools = tools;
    this.player = player;
    player?.events.on("blocked", (blocked) => tools.events.emit("soundblocked", { blocked }));
  }

  /** Resolves when live. Throws VisavisError; the phase then says why. */
  async start(): Promise<void> {
    const { phase } = this.#tools;
    phase.apply({ type: "start" });
    this.#watchPage();
    try {
      await Promise.race([this.#connect(), this.#untilCut()]);
    } catch (error) {
      if (this.#scope.signal.aborted) throw cutShort(error);
      const fault = VisavisError.from(error, "connection_failed", "The session could not be started.");
      await this.#fail(fault, "fail");
      throw fault;
    }
    phase.apply({ type: "connected" });
    // What answers and what mends the connection are to be there when the network is not.
    this.#later(fetchAheadMs, () => {
      const later = [import("./answering.ts"), import("./recovery.ts"), import("./session-renewal.ts")];
      for (const module of later) module.catch(() => undefined);
      void this.#watchVideo().catch(() => undefined);
    });
  }

  /** Ends the session for the reason; resolves when the service has been told, or could not be. */
  async finish(reason: string, how: CallClose): Promise<void> {
    await this.#close({ type: "finished", reason }, how);
  }

  async #connect(): Promise<void> {
    const { conversation, phase, loadContext } = this.#tools;
    const context = loadContext();
    // Without a context there is no session either: its failure is met below, after the session's own.
    context.catch(() => undefined);
    const { call, answer } = await openCall({ ...this.#tools, signal: this.#scope.signal });
    if (this.#scope.signal.aborted) {
      void call.close("end");
      throw cutShort();
    }
    phase.apply({ type: "created", call });
    conversation.connect({
      speaks: call.connection !== null,
      deliver: (message) => call.connection?.send(message) ?? false,
      ask: (request, signal) => call.relay.askModel(request, signal),
    });
    this.#listen(call, context);
    await Promise.all([context, call.connection && this.#connectMedia(call.connection, answer)]);
    // After the first picture: nothing is to come between the click and it.
    this.#later(reportAfterMs, () => call.heartbeat.handleConnected());
    if (!call.connection) await this.#greet(context);
  }

  /** Rejects when the run is over: nobody waits for an answer that means nothing any more. */
  #untilCut(): Promise<never> {
    return new Promise((_resolve, reject) => {
      this.#scope.signal.addEventListener("abort", () => reject(cutShort()));
    });
  }

  /** Resolves when picture and sound are there. Throws VisavisError. */
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
      // A session that the service has ended says so; recovery would only find it gone.
      void heartbeat.beatNow();
    });
    connection.events.on("attempt", (attempt) => events.emit("reconnectattempt", attempt));
    connection.events.on("restored", () => phase.apply({ type: "connected" }));
    connection.events.on("failed", (error) => void this.#handleConnectionFailed(call, error));
  }

  async #watchVideo(): Promise<void> {
    const connection = callOf(this.#tools.phase.current)?.connection;
    const { watchVideo } = await import("./video-watch.ts");
    if (connection && !this.#scope.signal.aborted) watchVideo(connection, this.#scope.signal);
  }

  #play(stream: MediaStream): void {
    if (!this.player) return;
    this.player.attach(stream);
    this.#tools.events.emit("media", { element: this.player.element });
  }

  /** The avatar greets where nothing has been said yet; a session after an error goes on where it was. */
  async #greet(context: Promise<PublicContext>): Promise<void> {
    const greeting = await context.then(({ greeting: text }) => text).catch(() => "");
    const { conversation } = this.#tools;
    if (this.#scope.signal.aborted) return;
    if (!conversation.transcript.entries.length) conversation.say(greeting);
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
    else this.#tools.events.emit("error", { code: error.code, message: error.message });
  }

  async #fail(error: VisavisError, how: CallClose, renews = error.code === "session_lost"): Promise<void> {
    if (this.#scope.signal.aborted) return;
    const closed = this.#close({ type: "failed", error }, how, `${error.code}: ${error.message}`);
    this.#tools.events.emit("error", { code: error.code, message: error.message });
    if (renews) this.#tools.handleLost();
    await closed;
  }

  async #close(signal: PhaseSignal<Call>, how: CallClose, detail?: string): Promise<void> {
    const { phase, conversation } = this.#tools;
    if (this.#scope.signal.aborted || !isActive(phase.current)) return;
    this.#scope.abort();
    // First of all the last word to the service: the page may be going away right now.
    const told = callOf(phase.current)?.close(how, detail);
    conversation.disconnect();
    this.player?.release();
    phase.apply(signal);
    await told;
  }

  /** Does something after a while, unless the run is over by then. */
  #later(delayMs: number, job: () => void): void {
    const timer = setTimeout(job, delayMs);
    this.#scope.signal.addEventListener("abort", () => clearTimeout(timer));
  }

  #watchPage(): void {
    watchPage(
      {
        handleLeave: () => void this.finish("page_left", "page-gone"),
        handleReturn: () => void callOf(this.#tools.phase.current)?.heartbeat.beatNow(),
      },
      this.#scope.signal,
    );
  }
}

const cutShort = (cause?: unknown): VisavisError =>
  new VisavisError("connection_failed", "The session ended before it was live.", cause);
