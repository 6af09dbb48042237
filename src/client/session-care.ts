import type { ClientMessage } from "../protocol/data-channel.ts";
import type { PublicContext } from "../protocol/relay-api.ts";
import type { Attention } from "./attention.ts";
import type { Call, CallClose } from "./call.ts";
import type { Conversation } from "./conversation.ts";
import type { TypedEvents } from "./typed-events.ts";
import { Presence, type Pause } from "./presence.ts";
import { TimeLeft } from "./time-left.ts";
import type { SessionEvents, SessionNotice } from "./session-events.ts";
import { silenceStopped } from "./stopped-sound.ts";
import { untilLoaded } from "./until-loaded.ts";
import { watchLink } from "./link-watch.ts";
import { watchRestart } from "./service-restart.ts";
import { watchVideo } from "./video-watch.ts";

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
  loadKeeper(): Promise<unknown>;
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
    tools.loadKeeper(),
    import("./turns.ts"),
    ...(call.connection ? [import("./recovery.ts")] : []),
    import("./session-renewal.ts"),
  ];
  for (const module of later) module.catch(() => undefined);
  // A page that was in the background or frozen learns at once whether its session still runs.
  const beat = (): void => void (document.hidden || call.heartbeat.beatNow());
  for (const type of ["visibilitychange", "resume"]) document.addEventListener(type, beat, { signal });
  const tell = noticesTo(tools);
  const left = new TimeLeft({
    tell: (leftSec) => tell("time", leftSec),
    over: () => void call.heartbeat.beatNow(),
  });
  call.heartbeat.events.on("answered", ({ time_left_sec: leftSec }) => left.take(leftSec));
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
  const { fillWaits } = await untilLoaded(() => import("./voice/filler.ts"));
  if (!signal.aborted) signal.addEventListener("abort", fillWaits(voice, conversation, events));
}

type Tell = (kind: SessionNotice["kind"], leftSec: number | null) => void;

/** Sends the more urgent of two notices: a visitor can do something about an idle session. */
function noticesTo({ events }: CareTools): Tell {
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
