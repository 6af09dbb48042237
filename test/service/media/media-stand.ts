import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  createMediaEngine,
  type MediaEngineOptions,
} from "../../../src/service/media/create-media-engine.ts";
import type {
  FoundTemplate,
  MediaEngine,
  MediaHooks,
  PeerAnswer,
  PeerRequest,
  PlayableSpeech,
  SpeechOutcome,
} from "../../../src/service/media/media-engine.ts";
import type { MediaProcessSettings } from "../../../src/service/media/processes/media-ipc.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { HeardPeak, Received } from "./client-process.ts";
import { until } from "../../patience.ts";
import { newMediaClient, type MediaClient } from "./media-client.ts";

const characters = join(import.meta.dirname, "../../../public/characters");

/** Absolute path of a character's file. */
export function characterFile(name: string): string {
  return join(characters, `${name}.json`);
}

/** The look of a character, as the catalogue would give it. */
export function lookOf(name: string): FoundTemplate {
  const files = [{ name: "character", file: `https://relay.example/characters/${name}.json` }];
  return { characterFile: characterFile(name), drawn: { model_style: name, files } };
}

/** A hook that reports that its engine is missing. */
const unavailable = () =>
  Promise.resolve({ ok: false, code: "engine_failed", detail: "Not in this test." } as const);

/** The hooks of an engine without anything that it could ask. */
export const noHooks: MediaHooks = {
  ...{ synthesize: unavailable, lipSync: unavailable, recognize: unavailable, translate: unavailable },
  hear: () => Promise.resolve(null),
  template: () => Promise.resolve(null),
  background: () => Promise.resolve(null),
  onConnected: () => undefined,
  onActivity: () => undefined,
  onClosed: () => undefined,
  onProcessDied: () => undefined,
};

/** Half a second of a tone, in place of speech, with this timeline. */
export function tone(
  frequencyHz = 440,
  durationMs = 500,
  timeline: Pick<PlayableSpeech, "words" | "visemes"> = { words: [], visemes: [] },
): SpeechOutcome {
  const pcm = Int16Array.from({ length: 48 * durationMs }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * frequencyHz * index) / 48_000)),
  );
  return { ok: true, speech: { sampleRateHz: 48_000, pcm, ...timeline } };
}

/** How many times the usual limits media processes get in tests, which share the processor. */
export const testPatience = 10;

/** Whether 10 ms of audio are audible. */
export const isAudible = ([, peak]: HeardPeak): boolean => peak > 1_000;

/** What the engine has reported so far. */
export interface Told {
  connected: string[];
  /** Sessions whose clients sent something. */
  active: string[];
  closed: [string, string][];
  warnings: string[];
  /** How media processes ended that were not stopped. */
  deaths: string[];
  diedProcesses: number;
}

const nothingTold = (): Told => ({
  ...{ connected: [], active: [], closed: [], warnings: [], deaths: [] },
  diedProcesses: 0,
});

type ClientArguments = Parameters<typeof newMediaClient> extends [URL, ...infer Rest] ? Rest : never;

/** A real media engine with real clients. The clients are new for each test. */
export interface MediaStand {
  readonly engine: MediaEngine;
  readonly told: Told;
  /** Ids of the engine's processes, in the order in which they became ready. */
  readonly pids: readonly number[];
  /** Hooks of the current test. The default speaks a tone for every text. */
  hooks: Partial<MediaHooks>;
  newClient(...configuration: ClientArguments): MediaClient;
  /** Sends the client's next offer to the engine, and the answer to the client. Resolves with it. */
  exchange(client: MediaClient, request?: Partial<PeerRequest>, iceRestart?: boolean): Promise<PeerAnswer>;
  /** A connected client. */
  connect(sessionId?: string): Promise<MediaClient>;
}

/** A media engine, and what the test that uses it has done to it. */
interface UsedEngine {
  engine: MediaEngine;
  sessions: Set<string>;
  /** Whether the next test needs a new one. */
  isSpent: boolean;
}

function usedEngine(options: MediaEngineOptions): UsedEngine {
  const engine = createMediaEngine(options);
  const used: UsedEngine = { engine, sessions: new Set(), isSpent: false };
  const [exchange, stop, announceRestart] = [
    engine.exchange.bind(engine),
    engine.stop.bind(engine),
    engine.announceRestart.bind(engine),
  ];
  engine.exchange = (request) => {
    used.sessions.add(request.sessionId);
    return exchange(request);
  };
  engine.stop = () => {
    used.isSpent = true;
    return stop();
  };
  engine.announceRestart = () => {
    used.isSpent = true;
    announceRestart();
  };
  return used;
}

/**
 * Sets up a media engine for a test file's tests. They share it until one of them stops it or kills a process: to start the
 * processes takes longer than most tests.
 */
export function mediaStand(
  settings: Partial<MediaProcessSettings> = {},
  options: Pick<MediaEngineOptions, "privateCandidates"> = {},
): MediaStand {
  let entries: BundledEntry[] = [];
  let clients: MediaClient[] = [];
  let used: UsedEngine | undefined;
  let pids: number[] = [];
  const stand: MediaStand = {
    get engine() {
      return used!.engine;
    },
    get pids() {
      return pids;
    },
    told: nothingTold(),
    hooks: {},
    newClient(...configuration) {
      const client = newMediaClient(entries[1]!.url, ...configuration);
      clients.push(client);
      return client;
    },
    async exchange(client, request = {}, iceRestart = false) {
      const answer = await stand.engine.exchange({
        ...{ sessionId: "one", characterFile: characterFile("mina"), matte: "packed-alpha" },
        ...request,
        offerSdp: request.offerSdp ?? (await client.offer(iceRestart)),
      });
      await client.accept(answer.answerSdp);
      return answer;
    },
    async connect(sessionId = "one") {
      const client = stand.newClient();
      await stand.exchange(client, { sessionId });
      return client;
    },
  };

  const defaults: MediaHooks = { ...noHooks, synthesize: () => Promise.resolve(tone()) };
  /** Each hook is that of the current test. */
  const presentHooks = Object.fromEntries(
    (Object.keys(defaults) as (keyof MediaHooks)[]).map((name) => [
      name,
      (...call: never[]) => {
        const hook: (...call: never[]) => unknown = stand.hooks[name] ?? defaults[name];
        return hook(...call);
      },
    ]),
  ) as unknown as MediaHooks;

  /** News of the test before may arrive late. */
  const isOfTest = (sessionId: string): boolean => used?.sessions.has(sessionId) ?? false;

  beforeAll(async () => {
    entries = await Promise.all([
      bundleEntry("src/service/media/media-process.ts"),
      bundleEntry("test/service/media/client-process.ts"),
    ]);
  });
  afterAll(async () => {
    await used?.engine.stop();
    for (const entry of entries) entry.remove();
  });
  beforeEach(async () => {
    Object.assign(stand, { told: nothingTold(), hooks: {} });
    if (!used) pids = [];
    used ??= usedEngine({
      processUrl: entries[0]!.url,
      hooks: {
        ...presentHooks,
        onConnected: (sessionId) => isOfTest(sessionId) && stand.told.connected.push(sessionId),
        onActivity: (sessionId) => isOfTest(sessionId) && stand.told.active.push(sessionId),
        onClosed: (sessionId, cause) => isOfTest(sessionId) && stand.told.closed.push([sessionId, cause]),
        onProcessDied: () => {
          stand.told.diedProcesses += 1;
          if (used) used.isSpent = true;
        },
      },
      log: {
        info: (_message, fields) => pids.push(Number(fields?.["pid"])),
        warn: (message, fields) => {
          stand.told.warnings.push(message);
          if (message === "media process died") stand.told.deaths.push(String(fields?.["detail"]));
        },
      },
      settings: { pictureSize: 256, ...settings },
      patience: testPatience,
      ...options,
    });
    // An exchange with a process that still starts may take too long on a busy machine.
    const { engine } = used;
    await until("a media process", () => engine.readyProcesses > 0);
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    if (!used) return;
    const { engine, sessions, isSpent } = used;
    for (const sessionId of sessions) engine.close(sessionId);
    sessions.clear();
    if (!isSpent) return;
    await engine.stop();
    used = undefined;
  });
  return stand;
}

/** The messages of one type. */
export function ofType(received: Received, type: string): Received["messages"] {
  return received.messages.filter((message) => message.type === type);
}
