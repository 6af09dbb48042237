import type {
  Activity,
  AvatarSession,
  SessionEvents,
  SessionState,
  TranscriptEntry,
} from "../../client/index.ts";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";

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
  readonly soundBlocked: boolean;
  readonly attempt: { readonly attempt: number; readonly of: number } | null;
  readonly error: { readonly code: VisavisErrorCode; readonly atMs: number } | null;
  readonly liveSinceMs: number | null;
  readonly endedAtMs: number | null;
  readonly transcript: readonly TranscriptEntry[];
}

export const emptySnapshot: SessionSnapshot = {
  state: "idle",
  activity: "idle",
  step: null,
  caption: null,
  lastWords: "",
  soundBlocked: false,
  attempt: null,
  error: null,
  liveSinceMs: null,
  endedAtMs: null,
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
      return { ...next, activity: change.detail.activity };
    case "progress":
      return { ...next, step: change.detail.step };
    case "caption":
      return { ...next, caption: { text: change.detail.text, index: change.detail.index } };
    case "captionend":
      return { ...next, caption: null, lastWords: change.detail.text };
    case "interrupted":
      return { ...next, caption: null, lastWords: change.detail.message.text };
    case "soundblocked":
      return { ...next, soundBlocked: change.detail.blocked };
    case "reconnectattempt":
      return { ...next, attempt: change.detail };
    case "error":
      return { ...next, error: { code: change.detail.code, atMs: nowMs } };
    default:
      return next;
  }
}

function afterStateChange(
  snapshot: SessionSnapshot,
  { state, previous }: SessionEvents["statechange"],
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
      return { ...next, activity: "idle", caption: null, soundBlocked: false, endedAtMs: nowMs };
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
  "interrupted",
  "soundblocked",
  "reconnectattempt",
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
      snapshot = snapshotAfter(snapshot, { type, detail } as Change, [...session.transcript], Date.now());
      tell(snapshot);
    });
  const stops = events.map(observe);
  return () => {
    for (const stop of stops) stop();
  };
}
