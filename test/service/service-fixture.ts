import { hashApiKey } from "../../src/service/api-key.ts";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { MemoryCounter } from "../../src/relay/counter.ts";
import { createGuardedFetch } from "../../src/service/guarded-fetch.ts";
import { createRetrievalResponder } from "../../src/service/language/retrieval-responder.ts";
import type { Log, LogFields } from "../../src/service/log.ts";
import type {
  MediaEngine,
  MediaHooks,
  PeerAnswer,
  PeerRequest,
} from "../../src/service/media/media-engine.ts";
import { createService } from "../../src/service/service.ts";
import type { Service, ServiceDependencies } from "../../src/service/service.ts";
import { defaultServiceSettings } from "../../src/service/service-settings.ts";
import type { AudioDesk } from "../../src/service/speech/audio-desk.ts";
import { alignSpeech } from "../../src/service/speech/align-speech.ts";
import { decodeAudio } from "../../src/service/speech/decode-audio.ts";
import type { SpeechSynthesizer } from "../../src/service/speech/speech-synthesizer.ts";
import { openFolderFiles } from "../../src/service/store/folder-files.ts";
import { seed } from "../../src/service/store/seed.ts";
import { openSqliteStore } from "../../src/service/store/sqlite-store.ts";
import type { ContextRecord, Store } from "../../src/service/store/store.ts";
import { checkedRequests } from "./documented-answers.ts";

export const apiKey = "vv_test_key_0123456789";
export const instructions =
  "You are Mara, the assistant of Alder Home.\n\nChairs\nThe Alder reading chair costs 480 euros.\nThe Birch chair costs 190 euros.";

/** A media engine without media: it remembers what was asked of it. */
export class RecordingMedia implements MediaEngine {
  readonly exchanges: PeerRequest[] = [];
  readonly closed: string[] = [];
  stopped = false;
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
  stop(): Promise<void> {
    this.stopped = true;
    return Promise.resolve();
  }
}

/** A voice of silence: 10 ms a character, one word. Says that it cannot speak texts without Latin letters. */
const quietSynthesizer: SpeechSynthesizer = {
  voices: ["slt"],
  synthesize({ text }) {
    if (!/[a-z]/i.test(text))
      return Promise.reject(Object.assign(new Error("Not speakable."), { code: "unspeakable_text" }));
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

/** Decodes and aligns on this thread, without a voice to compare with. */
export const plainAudioDesk: AudioDesk = {
  decode: (bytes) => Promise.resolve().then(() => decodeAudio(bytes)),
  align: (speech) => Promise.resolve().then(() => alignSpeech({ ...speech, reference: null })),
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
  /** Moves the service's clock. */
  pass(sec: number): void;
  request(path: string, init?: RequestInit): Promise<Response>;
  get(path: string): Promise<Response>;
  send(method: string, path: string, body: unknown, headers?: Record<string, string>): Promise<Response>;
  /** A session of the demo context, ready to be exchanged; resolves with its id. */
  newSession(fields?: Record<string, unknown>): Promise<string>;
  event(sessionId: string, event: string): Promise<{ terminate: boolean; terminate_reason: string | null }>;
  status(
    sessionId: string,
  ): Promise<{ status: string; termination_reason: string | null; duration_sec: number }>;
}

function recordingLog(lines: LogLine[]): Log {
  const at = (level: string) => (message: string, fields?: LogFields) =>
    void lines.push({ ...fields, level, message });
  return { info: at("info"), warn: at("warn"), error: at("error") };
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

/** A log that nobody reads. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** A folder that goes away with the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "visavis-service-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The real service on a real store in a temporary folder, without media. */
export async function runService(
  overrides: Partial<ServiceDependencies> & { folder?: string; startMs?: number } = {},
): Promise<RunningService> {
  const { folder = temporaryFolder(), startMs = Date.UTC(2026, 0, 1), ...dependencies } = overrides;
  let nowMs = startMs;
  const clock = { nowMs: () => nowMs };
  const store = dependencies.store ?? openSqliteStore(folder);
  await seed({ store, clock, demoInstructions: instructions, apiKey });
  const media = new RecordingMedia();
  const lines: LogLine[] = [];
  const responder = createRetrievalResponder();
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
    audio: plainAudioDesk,
    languageModel: () => responder,
    interactiveAgent: () => responder,
    guardedFetch: createGuardedFetch({ allowPrivate: true }),
    counter: new MemoryCounter(() => nowMs),
    log: recordingLog(lines),
    settings: { ...defaultServiceSettings, publicUrl: "https://relay.example", publicFolder: "/srv/public" },
    ...dependencies,
  });
  const organizationId = (await store.organizations.first())!.id;
  const demo = (await store.contexts.byContextId(organizationId, "ctx_demo"))!;
  const request: RunningService["request"] = checkedRequests(service.app);
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
    pass: (sec) => void (nowMs += sec * 1000),
    request,
    get: (path) => request(path, { headers: keyed }),
    send,
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
