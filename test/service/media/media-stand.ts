import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import {
  createMediaEngine,
  type MediaEngineOptions,
} from "../../../src/service/media/create-media-engine.ts";
import type {
  MediaEngine,
  MediaHooks,
  PeerRequest,
  SpeechOutcome,
} from "../../../src/service/media/media-engine.ts";
import type { MediaProcessSettings } from "../../../src/service/media/media-ipc.ts";
import { bundleEntry, type BundledEntry } from "../bundle-entry.ts";
import type { HeardPeak, Received } from "./client-process.ts";
import { MediaClient } from "./media-client.ts";

const characters = join(import.meta.dirname, "../../../public/characters");

/** Absolute path of a character's file. */
export function characterFile(name: string): string {
  return join(characters, `${name}.json`);
}

/** A hook that says that its engine is not there. */
export function unavailable(): Promise<{ ok: false; code: "engine_failed"; detail: string }> {
  return Promise.resolve({ ok: false, code: "engine_failed", detail: "Not in this test." });
}

/** Half a second of a tone: speech enough for what is tested here. */
export function tone(frequencyHz = 440, durationMs = 500): SpeechOutcome {
  const pcm = Int16Array.from({ length: 48 * durationMs }, (_, index) =>
    Math.round(8_000 * Math.sin((2 * Math.PI * frequencyHz * index) / 48_000)),
  );
  return { ok: true, speech: { sampleRateHz: 48_000, pcm, words: [], visemes: [] } };
}

/** Whether 10 ms of audio are to be heard. */
export const isAudible = ([, peak]: HeardPeak): boolean => peak > 1_000;

/** What the engine told so far. */
export interface Told {
  connected: string[];
  closed: [string, string][];
  warnings: string[];
}

type ClientArguments = ConstructorParameters<typeof MediaClient> extends [URL, ...infer Rest] ? Rest : never;

/** A real media engine with real clients, anew for each test. */
export interface MediaStand {
  readonly engine: MediaEngine;
  readonly told: Told;
  /** Hooks of the present test; a tone for every text unless it sets others. */
  hooks: Partial<MediaHooks>;
  newClient(...configuration: ClientArguments): MediaClient;
  /** Has the engine answer the client's next offer; resolves with the answer. */
  exchange(
    client: MediaClient,
    sessionId?: string,
    iceRestart?: boolean,
    request?: Partial<PeerRequest>,
  ): Promise<string>;
  /** A client that is connected. */
  connect(sessionId?: string): Promise<MediaClient>;
}

/** Sets up a stand for a test file's tests. */
export function mediaStand(
  settings: Partial<MediaProcessSettings> = {},
  options: Pick<MediaEngineOptions, "privateCandidates"> = {},
): MediaStand {
  let entries: BundledEntry[] = [];
  let clients: MediaClient[] = [];
  let engine: MediaEngine | undefined;
  const stand: MediaStand = {
    get engine() {
      return engine!;
    },
    told: { connected: [], closed: [], warnings: [] },
    hooks: {},
    newClient(...configuration) {
      const client = new MediaClient(entries[1]!.url, ...configuration);
      clients.push(client);
      return client;
    },
    async exchange(client, sessionId = "one", iceRestart = false, request = {}) {
      const offerSdp = await client.offer(iceRestart);
      const { answerSdp } = await stand.engine.exchange({
        ...{ sessionId, offerSdp, characterFile: characterFile("mina"), matte: "packed-alpha" },
        ...request,
      });
      await client.accept(answerSdp);
      return answerSdp;
    },
    async connect(sessionId) {
      const client = stand.newClient();
      await stand.exchange(client, sessionId);
      return client;
    },
  };

  beforeAll(async () => {
    entries = await Promise.all([
      bundleEntry("src/service/media/media-process.ts"),
      bundleEntry("test/service/media/client-process.ts"),
    ]);
  });
  afterAll(() => {
    for (const entry of entries) entry.remove();
  });
  beforeEach(() => {
    const told: Told = { connected: [], closed: [], warnings: [] };
    Object.assign(stand, { told, hooks: {} });
    engine = createMediaEngine({
      processUrl: entries[0]!.url,
      hooks: {
        synthesize: (...call) => stand.hooks.synthesize?.(...call) ?? Promise.resolve(tone()),
        lipSync: (...call) => stand.hooks.lipSync?.(...call) ?? unavailable(),
        recognize: (...call) => stand.hooks.recognize?.(...call) ?? unavailable(),
        translate: (...call) => stand.hooks.translate?.(...call) ?? unavailable(),
        characterFile: (...call) => stand.hooks.characterFile?.(...call) ?? Promise.resolve(null),
        background: (...call) => stand.hooks.background?.(...call) ?? Promise.resolve(null),
        onConnected: (sessionId) => told.connected.push(sessionId),
        onActivity: () => undefined,
        onClosed: (sessionId, cause) => told.closed.push([sessionId, cause]),
        onProcessDied: () => undefined,
      },
      log: { info: () => undefined, warn: (message) => told.warnings.push(message) },
      settings: { pictureSize: 256, ...settings },
      ...options,
    });
  });
  afterEach(async () => {
    await Promise.all(clients.map((client) => client.end()));
    clients = [];
    await engine?.stop();
  });
  return stand;
}

/** The messages of one type. */
export function ofType(received: Received, type: string): Received["messages"] {
  return received.messages.filter((message) => message.type === type);
}

/** Waits until something in this process has come about. */
export async function until(what: string, test: () => boolean): Promise<void> {
  for (let count = 0; count < 400; count++) {
    if (test()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited in vain for ${what}.`);
}
