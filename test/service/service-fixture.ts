import { hashApiKey } from "../../src/service/api-key.ts";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MemoryCounter } from "../../src/relay/limits/memory-counter.ts";
import { createTextReader } from "../../src/service/administration/knowledge/reading/text-reader.ts";
import { createOutboundCalls } from "../../src/service/outbound/outbound-calls.ts";
import type { TrialEngines } from "../../src/service/administration/trials/entry-trial.ts";
import type { Installation } from "../../src/service/installation.ts";
import type { LanguageModel } from "../../src/service/language/language-model.ts";
import { createRetrievalResponder } from "../../src/service/language/engines/retrieval/retrieval-engine.ts";
import { type LogFields, type Logger, silentLogger } from "../../src/logging/logger.ts";
import type {
  MediaEngine,
  MediaHooks,
  PeerAnswer,
  PeerRequest,
} from "../../src/service/media/media-engine.ts";
import { createService, type Service, type ServiceDependencies } from "../../src/service/service.ts";
import { defaultServiceSettings, type ServiceSettings } from "../../src/service/service-settings.ts";
import type { AudioProcessor } from "../../src/service/speech/audio/audio-processor.ts";
import { alignSpeech } from "../../src/service/speech/alignment/align-speech.ts";
import { decodeRecording } from "../../src/service/audio/decode-audio.ts";
import { SpeechError } from "../../src/service/speech/speech-error.ts";
import type { SpeechSynthesizer } from "../../src/service/speech/speech-synthesizer.ts";
import { openFolderFiles } from "../../src/service/store/files/folder-files.ts";
import { seed } from "../../src/service/store/seed/seed.ts";
import { openSqliteStore } from "../../src/service/store/database/sqlite-store.ts";
import type { CatalogueKind, CatalogueKinds } from "../../src/service/store/entities/catalogue-store.ts";
import type { ContextRecord, EngineSettings, Store } from "../../src/service/store/store.ts";
import { checkedRequests } from "./documented-answers.ts";
import { writeSeededStore } from "./store/seeded-store.ts";

export const apiKey = "vv_test_key_0123456789";
export const instructions =
  "You are Mara, the assistant of Alder Home.\n\nChairs\nThe Alder reading chair costs 480 euros.\nThe Birch chair costs 190 euros.";

/** What every avatar of these tests knows, besides its documents. */
const shop = {
  title: "Alder Home",
  text: "Chairs\nThe Alder reading chair costs 480 euros.\nThe Birch chair costs 190 euros.",
};

/** The built-in language model of a service whose avatars all know the shop. */
function shopResponder(): LanguageModel {
  const responder = createRetrievalResponder();
  return {
    ...responder,
    answer: (turn) => responder.answer({ ...turn, documents: [...(turn.documents ?? []), shop] }),
  };
}

/** A media engine without media. It records its calls. */
export class RecordingMedia implements MediaEngine {
  readonly exchanges: PeerRequest[] = [];
  readonly closed: string[] = [];
  stopped = false;
  restartsAnnounced = 0;
  failure: Error | null = null;
  onExchange: () => Promise<void> = () => Promise.resolve();

  async exchange(request: PeerRequest): Promise<PeerAnswer> {
    this.exchanges.push(request);
    if (this.failure) throw this.failure;
    await this.onExchange();
    const matte = request.characterFile === null ? null : (request.matte ?? "none");
    return { answerSdp: `v=0 answer ${this.exchanges.length}`, matte };
  }
  close(sessionId: string): void {
    this.closed.push(sessionId);
  }
  get peerCount(): number {
    const exchanged = new Set(this.exchanges.map(({ sessionId }) => sessionId));
    return [...exchanged].filter((sessionId) => !this.closed.includes(sessionId)).length;
  }
  readyProcesses = 2;
  announceRestart(): void {
    this.restartsAnnounced++;
  }
  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }
}

/** A silent voice: 10 ms per character, one word. It refuses texts without Latin letters. */
export const quietSynthesizer: SpeechSynthesizer = {
  voices: ["slt"],
  synthesize({ text }) {
    if (!/[a-z]/i.test(text)) return Promise.reject(SpeechError.unspeakable("Not speakable."));
    const end = text.length * 10;
    return Promise.resolve({
      sampleRateHz: 16_000,
      pcm: new Int16Array(16 * end),
      words: [{ text, start: 0, end }],
      visemes: [{ viseme: "aa", start: 0, end }],
    });
  },
  close: () => Promise.resolve(),
};

/** For engines that do not run a script. */
export const noScript = (name: string): URL => {
  throw new Error(`This test has no script "${name}".`);
};

/** Decodes and aligns on this thread, without a reference voice. */
export const plainAudioProcessor: AudioProcessor = {
  decode: decodeRecording,
  align: (speech) => Promise.resolve().then(() => alignSpeech({ ...speech, reference: null })),
  finish: (speech) =>
    Promise.resolve().then(() => ({ ...speech, ...alignSpeech({ ...speech, reference: null }) })),
  close: () => Promise.resolve(),
};

interface LogLine extends LogFields {
  level: string;
  message: string;
}

export interface RunningService {
  service: Service;
  store: Store;
  media: RecordingMedia;
  hooks: MediaHooks;
  lines: LogLine[];
  demo: ContextRecord;
  organizationId: string;
  nowMs(): number;
  /** Moves the service's clock. */
  pass(sec: number): void;
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** Puts an entry into the catalogue, its id and name the same unless `of` says more. */
  put<Kind extends CatalogueKind>(
    kind: Kind,
    id: string,
    body: CatalogueKinds[Kind],
    engine?: EngineSettings | null,
    of?: { name?: string; organizationId?: string; createdAtMs?: number },
  ): Promise<boolean>;
  /** Sends the demo avatar's settings with this `embed_config`. */
  configure(embedConfig: unknown, fields?: Record<string, unknown>): Promise<Response>;
  /** Creates a session of the demo context, ready for an exchange. Resolves with its id. */
  newSession(fields?: Record<string, unknown>): Promise<string>;
  event(sessionId: string, event: string): Promise<{ terminate: boolean; terminate_reason: string | null }>;
  status(
    sessionId: string,
  ): Promise<{ status: string; termination_reason: string | null; duration_sec: number }>;
}

/** A logger whose lines a test reads. */
export function recordingLog(lines: LogLine[]): Logger {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push({ ...fields, level, message });
  return { debug: () => undefined, info: at("info"), warn: at("warn"), error: at("error") };
}

/** Another organization, `other`, with an API key. */
export async function addOtherOrganization(
  { store }: Pick<RunningService, "store">,
  key: string,
): Promise<void> {
  await store.organizations.insert({ id: "other", name: "Other", createdAtMs: Date.UTC(2027, 0, 1) });
  await store.apiKeys.insert({
    id: "other-key",
    organizationId: "other",
    name: "Other",
    hash: hashApiKey(key),
    createdAtMs: 0,
    expiresAtMs: null,
    revokedAtMs: null,
  });
}

/** A logger without output. */
export const silentLog = silentLogger;

/** A folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Engines that trials can call without any program. */
export const quietEngines = (responder: LanguageModel): TrialEngines => ({
  languageModel: () => responder,
  interactiveAgent: () => responder,
  synthesizer: () => quietSynthesizer,
  recognizer: () => null,
  voiceActivity: null,
  tools: () => Promise.resolve([]),
  sample: (signal) => quietSynthesizer.synthesize({ text: "Hello.", voice: "slt", signal }),
  lastFault: () => ({ status: null, code: null, says: null, refused: [] }),
});

/** The machine of a test: a folder, and the engines that sessions have without any program. */
function testInstallation(folder: string, responder: LanguageModel): Installation {
  return {
    machine: { environment: {}, allowPrivateAddresses: true, publicFolder: "/srv/public" },
    dataFolder: folder,
    modelsUrl: "http://127.0.0.1:9",
    version: "1.2.3",
    nodeVersion: process.versions.node,
    memoryBytes: () => process.memoryUsage.rss(),
    startedAtMs: 0,
    database: "embedded",
    mediaProcesses: 1,
    trialEngines: () => quietEngines(responder),
  };
}

const firstMs = Date.UTC(2026, 0, 1);

/** The settings of a test's service, with some changed. */
export const settingsWith = (changes: Partial<ServiceSettings> = {}): ServiceSettings => ({
  ...{ ...defaultServiceSettings, publicUrl: "https://relay.example", publicFolder: "/srv/public" },
  ...changes,
});

/** So many requests that no test reaches them. */
const plenty = { reads: 1e9, writes: 1e9 };
export const noRateLimits = { key: plenty, session: plenty, address: plenty, loginsPerMinute: 5 };

const seeds = { demoInstructions: instructions, apiKey };

/** Makes a new folder one in which the service has run before: its store has its tables and seeds. */
export async function fillFolder(folder: string): Promise<void> {
  if (existsSync(join(folder, "visavis.db"))) return;
  await writeSeededStore(folder, { ...seeds, clock: { nowMs: () => firstMs } });
}

/** A store in a folder, closed after the test. */
async function testStore(folder: string, startMs: number): Promise<Store> {
  if (startMs === firstMs) await fillFolder(folder);
  const store = openSqliteStore(folder);
  onTestFinished(() => store.close());
  return store;
}

/** The real service on a real store in a temporary folder, without media. */
export async function runService(
  overrides: Partial<ServiceDependencies> & { folder?: string; startMs?: number } = {},
): Promise<RunningService> {
  const { folder = temporaryFolder(), startMs = firstMs, ...dependencies } = overrides;
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs };
  const store = dependencies.store ?? (await testStore(folder, startMs));
  await seed({ store, clock, ...seeds });
  const media = new RecordingMedia();
  const lines: LogLine[] = [];
  const responder = shopResponder();
  const captured: MediaHooks[] = [];
  const service = createService({
    clock,
    store,
    files: openFolderFiles(join(folder, "files")),
    media: (given) => {
      captured.push(given);
      return media;
    },
    synthesizer: () => quietSynthesizer,
    recognizer: () => null,
    audio: plainAudioProcessor,
    languageModel: () => responder,
    interactiveAgent: () => responder,
    outbound: createOutboundCalls({ allowPrivate: true }),
    installation: testInstallation(folder, responder),
    // Tests that read PDF or Word documents build its script.
    textReader: createTextReader({
      workerUrl: new URL("file:///this-test-built-no-reading-worker.mjs"),
      memoryBytes: () => 0,
    }),
    counter: new MemoryCounter(() => nowMs),
    log: recordingLog(lines),
    settings: settingsWith(),
    ...dependencies,
  });
  const organizationId = (await store.organizations.first())!.id;
  const demo = (await store.contexts.byContextId(organizationId, "ctx_demo"))!;
  const request: RunningService["request"] = checkedRequests(service);
  const keyed = { "ServicePlatform-APIKey": apiKey };
  const send: RunningService["send"] = (method, path, body, headers = {}) =>
    request(path, {
      method,
      body: JSON.stringify(body),
      headers: { "Content-Type": "application/json", ...keyed, ...headers },
    });
  return {
    service,
    store,
    media,
    hooks: captured[0]!,
    lines,
    demo,
    organizationId,
    nowMs: clock.nowMs,
    pass: (sec) => void (nowMs += sec * 1000),
    request,
    get: (path) => request(path, { headers: keyed }),
    send,
    put: (kind, id, body, engine = null, of = {}) =>
      store.catalogue.put({ kind, id, name: id, organizationId: null, createdAtMs: 0, body, engine, ...of }),
    configure: (embed_config, fields = {}) => {
      const { id, name, tts_type, model_style } = demo;
      const settings = { name, tts_type, model_style, ...fields, embed_config };
      return send("PUT", `/api/console/b2c/contexts/${id}/`, settings);
    },
    async newSession(fields = {}) {
      const response = await send("POST", "/api/v1/session/", {
        prompt: demo.id,
        llm_type: "visavis-retrieval",
        model_style: "mina",
        tts_type: "visavis-slt",
        ...fields,
      });
      return ((await response.json()) as { session_id: string }).session_id;
    },
    async event(sessionId, event) {
      const response = await send("POST", `/api/v1/session/${sessionId}/event/create/`, { event });
      return (await response.json()) as { terminate: boolean; terminate_reason: string | null };
    },
    async status(sessionId) {
      const response = await request(`/api/v1/session/${sessionId}/`);
      return (await response.json()) as {
        status: string;
        termination_reason: string | null;
        duration_sec: number;
      };
    },
  };
}
