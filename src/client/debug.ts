import type { AvatarSession } from "./link/avatar-session.ts";
import type { SessionEvents } from "./session-events.ts";

/** A session, and what only the log looks at. */
export interface DebuggedSession extends AvatarSession {
  readonly peerConnection: RTCPeerConnection | null;
}

/** How often the connection's figures are logged, in ms. */
const statsEveryMs = 5_000;

const eventNames: readonly (keyof SessionEvents)[] = [
  "statechange",
  "activitychange",
  "progress",
  "media",
  "message",
  "captionend",
  "interrupted",
  "toolcall",
  "toolend",
  "soundblocked",
  "reconnectattempt",
  "quality",
  "error",
];

/** The figures of a peer connection that tell what is wrong with it. Times in ms; what is not known is left out. */
export interface ConnectionFigures {
  /** Kinds of the candidates in use: `host/host`, `relay/host`, … */
  path?: string;
  roundTripMs?: number;
  framesPerSecond?: number;
  framesDropped?: number;
  /** Packets of picture and sound that did not arrive. */
  packetsLost?: number;
  audioJitterMs?: number;
  /** Share of the sound that the browser had to make up, in percent. */
  concealedPercent?: number;
}

type Stats = Readonly<Record<string, unknown>>;

const numberOf = (stats: Stats | undefined, key: string): number | undefined =>
  typeof stats?.[key] === "number" ? stats[key] : undefined;

function inMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1_000);
}

/** The figures of a report of `RTCPeerConnection.getStats()`. */
export function connectionFigures(report: Iterable<readonly [string, Stats]>): ConnectionFigures {
  const byId = new Map(report);
  const all = [...byId.values()];
  const pair = all.find(({ type, nominated }) => type === "candidate-pair" && nominated === true);
  const candidate = (key: string) => byId.get(String(pair?.[key]))?.["candidateType"];
  const inbound = (kind: string) =>
    all.find((stats) => stats["type"] === "inbound-rtp" && stats["kind"] === kind);
  const [video, audio] = [inbound("video"), inbound("audio")];
  const lost = [video, audio].flatMap((stats) => numberOf(stats, "packetsLost") ?? []);
  const samples = numberOf(audio, "totalSamplesReceived");
  const concealed = numberOf(audio, "concealedSamples");
  const figures: Record<keyof ConnectionFigures, string | number | undefined> = {
    path: pair && `${String(candidate("localCandidateId"))}/${String(candidate("remoteCandidateId"))}`,
    roundTripMs: inMs(numberOf(pair, "currentRoundTripTime")),
    framesPerSecond: numberOf(video, "framesPerSecond"),
    framesDropped: numberOf(video, "framesDropped"),
    packetsLost: lost.length > 0 ? lost.reduce((sum, count) => sum + count, 0) : undefined,
    audioJitterMs: inMs(numberOf(audio, "jitter")),
    concealedPercent:
      samples && concealed !== undefined ? Math.round((concealed / samples) * 1_000) / 10 : undefined,
  };
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => value !== undefined));
}

function log(what: string, detail: unknown): void {
  // eslint-disable-next-line no-console -- the option is there to write to the console
  console.debug(`[visavis] ${Math.round(performance.now())} ms ${what}`, detail);
}

/** Logs the requests to the relay when they are complete. */
function logRequests(relay: string): PerformanceObserver | null {
  if (typeof PerformanceObserver === "undefined") return null;
  const prefix = `${relay || location.origin}/embed/v1/`;
  const observer = new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as PerformanceResourceTiming[])
      if (entry.name.startsWith(prefix))
        log(`request /${entry.name.slice(prefix.length)}`, {
          status: entry.responseStatus,
          durationMs: Math.round(entry.duration),
        });
  });
  observer.observe({ type: "resource", buffered: true });
  return observer;
}

async function logStats({ peerConnection }: DebuggedSession): Promise<void> {
  if (!peerConnection) return;
  const report = (await peerConnection.getStats()) as unknown as Iterable<[string, Stats]>;
  log("connection", connectionFigures(report));
}

/**
 * Writes to the console what a session does: its events, its requests, and every 5 s the figures of its connection.
 * `visavisDebug` in the console is the session with its `peerConnection`, for looking further. The function returned stops.
 */
export function logSession(session: DebuggedSession, relay: string): () => void {
  log("debug is on", { state: session.state, session: session.sessionId });
  const stops = eventNames.map((name) =>
    session.on(name, (detail) => {
      log(name, detail);
      if (name === "statechange") void logStats(session).catch(() => undefined);
    }),
  );
  const timer = setInterval(() => void logStats(session).catch(() => undefined), statsEveryMs);
  const requests = logRequests(relay);
  Object.assign(globalThis, { visavisDebug: session });
  return () => {
    for (const stop of stops) stop();
    clearInterval(timer);
    requests?.disconnect();
  };
}
