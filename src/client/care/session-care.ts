import type { AvatarConnection } from "../link/avatar-connection.ts";
import type { Conversation } from "../conversation/conversation.ts";
import type { ClientMessage } from "../../protocol/session/data-channel.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { Attention, SessionEvents, SessionNotice } from "../session-events.ts";
import type { Call, CallClose } from "../link/call.ts";
import type { TypedEvents } from "../typed-events.ts";
import { type Pause, Presence } from "./presence.ts";
import { silenceStopped } from "../speech/stopped-sound.ts";
import { untilLoaded } from "../until-loaded.ts";
import { watchLink } from "./link-watch.ts";

/** The numbers of seconds left at which the visitor is told. */
const tellsAtSec = [60, 15] as const;
/** How long a notice is shown, in ms. The last one stays until the end. */
const shownMs = 10_000;
/** Pause before the service is asked again about a session whose time should be over, in ms. */
const askAgainMs = 1_000;

/** No timer is longer, in ms: browsers fire timers of more than 24 days immediately. */
const longestTimerMs = 3_600_000;

/** What the time left is reported to. */
export interface TimeLeftEvents {
  /** The seconds left, when a notice is shown or changes; null when it is removed. */
  tell(leftSec: number | null): void;
  /** The time is over: the service can now say so. */
  over(): void;
}

/** Tells the visitor in time that a session's time will be used up. The service counts it and says with its answers how much is left. */
export class TimeLeft {
  readonly #events: TimeLeftEvents;
  #endsAtMs = Infinity;
  /** The smallest number of `tellsAtSec` that was told. */
  #told = Infinity;
  #hideAtMs = Infinity;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(events: TimeLeftEvents) {
    this.#events = events;
  }

  /**
   * The service's answer; undefined: no limit. It counts from when it was asked for: a page that slept meanwhile would tell
   * of more time than is left.
   */
  take(leftSec: number | undefined, askedAtMs = performance.now()): void {
    this.#endsAtMs = leftSec === undefined ? Infinity : askedAtMs + leftSec * 1_000;
    this.#look();
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #look(): void {
    clearTimeout(this.#timer);
    const nowMs = performance.now();
    const leftMs = this.#endsAtMs - nowMs;
    this.#tellOnce(leftMs, nowMs);
    if (nowMs >= this.#hideAtMs) this.#hide();
    const nextSec = tellsAtSec.find((sec) => leftMs > sec * 1_000) ?? 0;
    const waitMs = Math.min(Math.max(leftMs - nextSec * 1_000, askAgainMs / 10), this.#hideAtMs - nowMs);
    if (waitMs < Infinity)
      this.#timer = setTimeout(() => this.#handleTime(), Math.min(waitMs, longestTimerMs));
  }

  #handleTime(): void {
    if (performance.now() < this.#endsAtMs) {
      this.#look();
      return;
    }
    this.#timer = setTimeout(() => this.#handleTime(), askAgainMs);
    this.#events.over();
  }

  #tellOnce(leftMs: number, nowMs: number): void {
    const step = tellsAtSec.findLast((sec) => leftMs <= sec * 1_000) ?? Infinity;
    if (step === this.#told) return;
    // The limit was raised, or the answer was a little early.
    const isEarlier = step > this.#told;
    if (isEarlier && leftMs < this.#told * 1_000 + askAgainMs) return;
    this.#told = step;
    if (step === Infinity) this.#hide();
    else {
      this.#hideAtMs = step === tellsAtSec[1] ? Infinity : nowMs + shownMs;
      this.#events.tell(Math.ceil(leftMs / 1_000));
    }
  }

  #hide(): void {
    this.#hideAtMs = Infinity;
    this.#events.tell(null);
  }
}

/** How long a restart of the service goes unmentioned, in ms. */
const quietMs = 20_000;

/**
 * When the service announces its restart, the connection is recovered without a notice: the last picture stays, and questions wait.
 * If that takes too long, it is a lost connection like any other.
 */
export function watchRestart(
  connection: AvatarConnection,
  conversation: Pick<Conversation, "events">,
  signal: AbortSignal,
): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stop = conversation.events.on("notice", ({ type }) => {
    if (type !== "restart" || connection.quiet) return;
    connection.quiet = true;
    connection.handleLinkFault();
    clearTimeout(timer);
    timer = setTimeout(() => {
      if (!connection.quiet) return;
      connection.quiet = false;
      connection.events.emit("lost", undefined);
    }, quietMs);
  });
  signal.addEventListener("abort", () => {
    stop();
    clearTimeout(timer);
  });
}

const lookEveryMs = 1_000;
/** After so many checks in a row without a new frame the video counts as frozen. */
const stalledAfter = 5;

/**
 * Watches for frozen video while everything else works. A link counts as frozen only after it has shown frames, so that a
 * link that never shows any is not replaced again and again. Nothing is watched while no video is sent, as for a hidden page.
 */
export function watchVideo(connection: AvatarConnection, signal: AbortSignal, isSent: () => boolean): void {
  let watched = connection.link;
  let framesSeen = 0;
  let still = 0;
  const timer = setInterval(() => void look(), lookEveryMs);
  signal.addEventListener("abort", () => clearInterval(timer));

  async function look(): Promise<void> {
    const { link } = connection;
    // Sentences that are asked for one by one do not freeze.
    if (!link.peerConnection) return;
    const frames = await framesDecoded(link.peerConnection);
    if (link !== watched) [watched, framesSeen, still] = [link, 0, 0];
    // After an outage, the picture goes on with the next whole frame, which may take its time.
    const isReceived = link.stream.getVideoTracks().length > 0;
    const isExpected = connection.healthy && !link.channel.quiet && isReceived && isSent();
    const isStill = frames === framesSeen && frames > 0 && isExpected;
    still = isStill ? still + 1 : 0;
    framesSeen = frames;
    if (still < stalledAfter || signal.aborted) return;
    framesSeen = 0;
    still = 0;
    connection.handleLinkFault();
  }
}

/** Number of video frames decoded so far; 0 without video. */
async function framesDecoded(peerConnection: RTCPeerConnection): Promise<number> {
  let frames = 0;
  const report = await peerConnection.getStats();
  report.forEach(({ type, kind, framesDecoded }: Partial<RTCInboundRtpStreamStats>) => {
    if (type === "inbound-rtp" && kind === "video") frames = framesDecoded ?? 0;
  });
  return frames;
}

/** What care needs of a run. */
interface CaredRun {
  /** Plays the avatar; null in a session without media. */
  readonly player: { readonly element: Pick<HTMLMediaElement, "volume"> } | null;
  finish(reason: string, how: CallClose): Promise<void>;
}

/** What it works with. */
interface CareTools {
  readonly attention: Attention;
  readonly conversation: Conversation;
  readonly events: TypedEvents<SessionEvents>;
  loadContext(): Promise<PublicContext>;
  set(message: ClientMessage): void;
}

/**
 * What a live session needs besides its connection: it stops sending what nobody sees, ends when nobody is there, tells the
 * visitor of its end in time, and recovers frozen video.
 */
export function takeCare(run: CaredRun, tools: CareTools, call: Call | null, signal: AbortSignal): void {
  if (signal.aborted || !call) return;
  // They must be there when the network fails.
  const later = [
    import("../conversation/turns.ts"),
    ...(call.connection ? [import("../link/recovery.ts")] : []),
    import("./session-renewal.ts"),
  ];
  for (const module of later) module.catch(() => undefined);
  // A page that was in the background or frozen learns at once whether its session still runs.
  const beat = (): void => void (document.hidden || call.heartbeat.beatNow());
  for (const type of ["visibilitychange", "resume"]) document.addEventListener(type, beat, { signal });
  const tell = noticesTo(tools.events);
  const left = new TimeLeft({
    tell: (leftSec) => tell("time", leftSec),
    over: () => void call.heartbeat.beatNow(),
  });
  let watching: Promise<void> | undefined;
  call.heartbeat.events.on("answered", ({ time_left_sec: leftSec, people, sentAtMs }) => {
    left.take(leftSec, sentAtMs);
    if (people)
      watching ??= untilLoaded(() => import("../person/person-link.ts")).then(({ watchPeople }) =>
        watchPeople(call, tools.conversation, tools.events, signal),
      );
  });
  signal.addEventListener("abort", () => {
    left.stop();
    tools.events.emit("endnotice", { notice: null });
  });
  if (call.connection) watchRestart(call.connection, tools.conversation, signal);
  void watchPresence(run, tools, call, tell, signal);
  void fillLongWaits(tools, signal);
}

/** Where the owner wants waits to be filled, loads what does it. */
async function fillLongWaits(
  { conversation, events, loadContext }: CareTools,
  signal: AbortSignal,
): Promise<void> {
  const { voice } = await loadContext();
  if (typeof voice !== "object" || voice === null || !("filler_texts" in voice)) return;
  const { fillWaits } = await untilLoaded(() => import("../voice/filler.ts"));
  if (!signal.aborted) signal.addEventListener("abort", fillWaits(voice, conversation, events));
}

type Tell = (kind: SessionNotice["kind"], leftSec: number | null) => void;

/** Sends the more urgent of two notices: a visitor can do something about an idle session. */
export function noticesTo(events: TypedEvents<SessionEvents>): Tell {
  const given = new Map<SessionNotice["kind"], number>();
  return (kind, leftSec) => {
    if (leftSec === null) given.delete(kind);
    else given.set(kind, leftSec);
    const shown = given.has("idle") ? "idle" : "time";
    const seconds = given.get(shown);
    events.emit("endnotice", { notice: seconds === undefined ? null : { kind: shown, leftSec: seconds } });
  };
}

async function watchPresence(
  run: CaredRun,
  { attention, conversation, events, loadContext, set }: CareTools,
  { connection }: Call,
  tell: Tell,
  signal: AbortSignal,
): Promise<void> {
  const { idle_timeout_sec: idleSec } = await loadContext();
  if (signal.aborted) return;
  let wanted: Pause = { video: false, speech: false, audio: false };
  let isHoldDue = false;
  /** A sentence is spoken in several texts. It is said to its end before the service starts no further one. */
  const applyPause = (): void => {
    isHoldDue = wanted.speech && !wanted.audio && conversation.inSentence;
    const pause = { ...wanted, speech: wanted.speech && !isHoldDue };
    conversation.holdSpeech(pause.speech);
    set({ type: "pause", data: pause });
  };
  const presence = new Presence(
    {
      get busy() {
        return conversation.activity === "thinking" || conversation.activity === "speaking";
      },
      pause: (pause) => {
        wanted = pause;
        applyPause();
      },
      tell: (leftSec) => tell("idle", leftSec),
      end: () => void run.finish("idle", "end"),
    },
    idleSec * 1_000,
  );
  const look = (): void => presence.handleView(attention.inView && !document.hidden);
  attention.handle = (isSign) => (isSign ? presence.handleSign() : look());
  document.addEventListener("visibilitychange", look, { signal });
  const stops = [
    events.on("speechstart", () => presence.handleSign()),
    events.on("speechend", () => presence.handleSign()),
    events.on("activitychange", () => presence.look()),
    events.on("caption", () => isHoldDue && !conversation.inSentence && applyPause()),
    events.on("message", ({ message }) => message.role === "visitor" && presence.handleSign()),
  ];
  signal.addEventListener("abort", () => {
    for (const stop of stops) stop();
    presence.stop();
    attention.handle = undefined;
  });
  look();
  if (!connection) return;
  stops.push(
    conversation.events.on("interrupted", () => {
      const { element } = run.player ?? {};
      const { stream } = connection.link;
      const heard = element ? { element, volume: element.volume } : null;
      // Without a peer connection nothing of it is on its way.
      if (stream) silenceStopped(conversation, stream, heard);
    }),
  );
  watchVideo(connection, signal, () => presence.isWatched);
  watchLink(connection, signal, events);
}
