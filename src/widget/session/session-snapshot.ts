import type {
  Activity,
  AvatarSession,
  SessionEvents,
  SessionNotice,
  SessionState,
  TranscriptEntry,
  VoicePlace,
} from "../../client/index.ts";
import type { LinkQuality } from "../../client/care/link-quality.ts";

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

/** What each event of the session changes: given its detail, the snapshot before it and its time. */
const changes: {
  readonly [K in keyof SessionEvents]?: (
    detail: SessionEvents[K],
    before: SessionSnapshot,
    nowMs: number,
  ) => Partial<SessionSnapshot>;
} = {
  statechange: afterStateChange,
  activitychange: ({ activity }) => ({ activity, tool: null }),
  progress: ({ step }) => ({ step }),
  message: () => ({}),
  caption: ({ text, index }) => ({ caption: { text, index } }),
  captionend: ({ text }) => ({ caption: null, lastWords: text }),
  voice: ({ place }) => ({ voice: place }),
  interrupted: ({ message }) => ({ caption: null, lastWords: message.text }),
  toolcall: ({ name }) => ({ tool: name }),
  toolend: () => ({ tool: null }),
  clear: () => ({ lastWords: "" }),
  soundblocked: ({ blocked }) => ({ soundBlocked: blocked }),
  reconnectattempt: (attempt) => ({ attempt }),
  endnotice: ({ notice }) => ({ notice }),
  quality: (detail) => detail,
  error: (error, _before, atMs) => ({ error: { ...error, atMs } }),
};

function afterStateChange(
  { state, previous, reason }: SessionEvents["statechange"],
  { transcript }: SessionSnapshot,
  nowMs: number,
): Partial<SessionSnapshot> {
  switch (state) {
    case "connecting":
      return { ...emptySnapshot, state, transcript };
    case "live":
      return previous === "reconnecting"
        ? { state, attempt: null, error: null }
        : { state, step: "sound", error: null, liveSinceMs: nowMs, endedAtMs: null };
    case "ended":
    case "error":
      return {
        state,
        activity: "idle",
        caption: null,
        soundBlocked: false,
        endReason: reason,
        endedAtMs: nowMs,
      };
    default:
      return { state, caption: null };
  }
}

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
  const observe = (type: keyof SessionEvents) =>
    session.on(type, (detail) => {
      const { transcript } = session;
      const before = { ...snapshot, transcript };
      snapshot = { ...before, ...changes[type]?.(detail as never, before, Date.now()) };
      tell(snapshot);
    });
  const stops = (Object.keys(changes) as (keyof SessionEvents)[]).map(observe);
  return () => {
    for (const stop of stops) stop();
  };
}
