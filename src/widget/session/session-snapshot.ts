import type {
  Activity,
  AvatarSession,
  SessionEvents,
  SessionNotice,
  SessionState,
  TranscriptEntry,
  VoicePlace,
} from "../../client/index.ts";
import type { LinkQuality } from "../../client/link-quality.ts";

/** What the widget knows of a session, as plain data. */
export interface SessionSnapshot {
  readonly state: SessionState;
  readonly activity: Activity;
  /** The last step of connecting that is done. */
  readonly step: SessionEvents["progress"]["step"] | null;
  /** The utterance being spoken and the index of its current word. */
  readonly caption: { readonly text: string; readonly index: number } | null;
  /** What was spoken last, when nothing is being spoken. */
  readonly lastWords: string;
  /** Where the voice is in the transcript; null when it has nothing left to say. */
  readonly voice: VoicePlace | null;
  readonly soundBlocked: boolean;
  readonly attempt: { readonly attempt: number; readonly of: number } | null;
  /** How sound and picture arrive. */
  readonly quality: LinkQuality;
  readonly error: (SessionEvents["error"] & { readonly atMs: number }) | null;
  /** What the visitor is told of the session's end. */
  readonly notice?: SessionNotice | null;
  /** Why the last session has ended. */
  readonly endReason?: string | undefined;
  readonly liveSinceMs: number | null;
  readonly endedAtMs: number | null;
  /** The page's tool that runs for the answer, by its name. */
  readonly tool: string | null;
  readonly transcript: readonly TranscriptEntry[];
}

export const emptySnapshot: SessionSnapshot = {
  state: "idle",
  activity: "idle",
  step: null,
  caption: null,
  lastWords: "",
  voice: null,
  soundBlocked: false,
  attempt: null,
  quality: "good",
  error: null,
  liveSinceMs: null,
  endedAtMs: null,
  tool: null,
  transcript: [],
};

type Change = { [K in keyof SessionEvents]: { type: K; detail: SessionEvents[K] } }[keyof SessionEvents];

/** The snapshot after one event of the session. Pure; `nowMs` is the time of the event. */
export function snapshotAfter(
  snapshot: SessionSnapshot,
  change: Change,
  transcript: readonly TranscriptEntry[],
  nowMs: number,
): SessionSnapshot {
  const next = { ...snapshot, transcript };
  switch (change.type) {
    case "statechange":
      return afterStateChange(next, change.detail, nowMs);
    case "activitychange":
      return { ...next, activity: change.detail.activity, tool: null };
    case "toolcall":
      return { ...next, tool: change.detail.name };
    case "toolend":
      return { ...next, tool: null };
    case "progress":
      return { ...next, step: change.detail.step };
    case "caption":
      return { ...next, caption: { text: change.detail.text, index: change.detail.index } };
    case "captionend":
      return { ...next, caption: null, lastWords: change.detail.text };
    case "voice":
      return { ...next, voice: change.detail.place };
    case "interrupted":
      return { ...next, caption: null, lastWords: change.detail.message.text };
    case "clear":
      return { ...next, lastWords: "" };
    case "soundblocked":
      return { ...next, soundBlocked: change.detail.blocked };
    case "reconnectattempt":
      return { ...next, attempt: change.detail };
    case "endnotice":
      return { ...next, notice: change.detail.notice };
    case "quality":
      return { ...next, ...change.detail };
    case "error":
      return { ...next, error: { ...change.detail, atMs: nowMs } };
    default:
      return next;
  }
}

function afterStateChange(
  snapshot: SessionSnapshot,
  { state, previous, reason }: SessionEvents["statechange"],
  nowMs: number,
): SessionSnapshot {
  const next = { ...snapshot, state };
  switch (state) {
    case "connecting":
      return { ...emptySnapshot, state, transcript: snapshot.transcript };
    case "live":
      return previous === "reconnecting"
        ? { ...next, attempt: null, error: null }
        : { ...next, step: "sound", error: null, liveSinceMs: nowMs, endedAtMs: null };
    case "ended":
    case "error":
      return {
        ...next,
        activity: "idle",
        caption: null,
        soundBlocked: false,
        endReason: reason,
        endedAtMs: nowMs,
      };
    default:
      return { ...next, caption: null };
  }
}

const events = [
  "statechange",
  "activitychange",
  "progress",
  "message",
  "caption",
  "captionend",
  "voice",
  "interrupted",
  "toolcall",
  "toolend",
  "clear",
  "soundblocked",
  "reconnectattempt",
  "endnotice",
  "quality",
  "error",
] as const satisfies readonly (keyof SessionEvents)[];

/** Calls `tell` with a new snapshot after each event of the session. Returns a function that stops it. */
export function observeSession(
  session: AvatarSession,
  tell: (snapshot: SessionSnapshot) => void,
): () => void {
  let snapshot: SessionSnapshot = {
    ...emptySnapshot,
    state: session.state,
    activity: session.activity,
    transcript: session.transcript,
  };
  const observe = (type: (typeof events)[number]) =>
    session.on(type, (detail) => {
      snapshot = snapshotAfter(snapshot, { type, detail } as Change, session.transcript, Date.now());
      tell(snapshot);
    });
  const stops = events.map(observe);
  return () => {
    for (const stop of stops) stop();
  };
}
