/** The server under load, in a separate process: the service with its own store, or a constant answer. */
import { setTimeout as pause } from "node:timers/promises";
import { createRetrievalResponder } from "../src/service/language/engines/retrieval/retrieval-engine.ts";
import type { SpeechSynthesizer } from "../src/service/speech/speech-synthesizer.ts";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import Database from "libsql";
import { allowHeapGrowth } from "../src/command-line/heap-growth.ts";
import { listen } from "../src/command-line/http/http-server.ts";
import { MemoryCounter } from "../src/relay/index.ts";
import { systemClock } from "../src/service/clock.ts";
import { createService } from "../src/service/service.ts";
import { defaultServiceSettings } from "../src/service/service-settings.ts";
import { openFolderFiles } from "../src/service/store/files/folder-files.ts";
import { silentLogger } from "../src/logging/logger.ts";
import { placesPerMs } from "../src/service/store/entities/conversation-turns.ts";
import { openStorage } from "../src/service/store/open-storage.ts";
import { seed } from "../src/service/store/seed/seed.ts";
import type { SessionRecord, Store } from "../src/service/store/store.ts";

/** Messages from the benchmark to the server. */
export type ServerOrder =
  /** Creates this many sessions in progress, last seen at times spread over the last 10 s. */
  | { type: "live"; count: number }
  /** Fills the store up to this many sessions with ended ones, directly in the database. */
  | { type: "fill"; count: number }
  /** Adds this many conversations of the last 90 days, directly in the database. */
  | { type: "conversations"; count: number }
  | { type: "memory" };

const [kind, serverApiKey = "", databaseUrl] = process.argv.slice(2);

const request = {
  capability: ["STF_WEBRTC" as const],
  llm_type: "visavis-retrieval",
  tts_type: "visavis-slt",
  model_style: "mina",
  padding_left: 0,
  padding_top: 0,
  padding_height: 1,
};

function liveSession(organizationId: string, index: number, count: number): SessionRecord {
  const nowMs = Date.now();
  const seenAtMs = nowMs - Math.floor((index / count) * 10_000);
  // They began at different times of the last minute, so their next minutes are bought at different times too.
  const beganAtMs = nowMs - Math.floor((((index * 7_919) % count) / count) * 60_000);
  return {
    id: randomBytes(20).toString("hex"),
    organizationId,
    contextUuid: null,
    revision: 0,
    deadlineAtMs: Math.min(seenAtMs + 30_000, beganAtMs + 60_000),
    state: {
      status: "IN_PROGRESS",
      terminationReason: null,
      createdAtMs: beganAtMs,
      inProgressAtMs: beganAtMs,
      lastSeenAtMs: seenAtMs,
      endedAtMs: null,
      maxSessionSec: 0,
      boughtMin: 1,
      peerClosedAtMs: null,
      leavingAtMs: null,
      holdsPlace: true,
    },
  };
}

async function makeLive(store: Store, organizationId: string, count: number): Promise<string[]> {
  const detail = { request, clientSdp: null, serverSdp: null };
  const sessions = Array.from({ length: count }, (_, index) => liveSession(organizationId, index, count));
  for (let first = 0; first < count; first += 500)
    await Promise.all(
      sessions.slice(first, first + 500).map((session) => store.sessions.insert(session, detail, "2026-01")),
    );
  return sessions.map(({ id }) => id);
}

/** Fills the tables up to `count` sessions. Returns a random sample of their ids. */
async function fill(folder: string, organizationId: string, count: number): Promise<string[]> {
  const database = new Database(join(folder, "visavis.db"));
  const counted = database.prepare("select count(*) as present from session").all() as { present: number }[];
  const missing = count - (counted[0]?.present ?? 0);
  await beginWriting(database);
  database
    .prepare(
      `insert into session (id, organization_id, revision, status, termination_reason, created_at_ms, last_seen_at_ms,
        ended_at_ms, max_session_sec)
      with recursive number (value) as (select 1 union all select value + 1 from number where value < ?)
      select lower(hex(randomblob(20))), ?, 3, 'TERMINATED', 'GRACEFUL_TERMINATION', 1, 1, 1, 0 from number`,
    )
    .run([missing, organizationId]);
  database
    .prepare(
      `insert into session_detail (session_id, request)
      select id, ? from session where id not in (select session_id from session_detail)`,
    )
    .run([JSON.stringify(request)]);
  database.exec("commit; pragma wal_checkpoint(truncate)");
  const sample = database.prepare("select id from session order by random() limit 5000").all();
  database.close();
  return (sample as { id: string }[]).map(({ id }) => id);
}

/** Begins to write. The service's own writes need this thread too, so waiting must not block it. */
async function beginWriting(database: Database.Database): Promise<void> {
  for (;;) {
    try {
      database.exec("begin immediate");
      return;
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "SQLITE_BUSY")) throw error;
      await pause(20);
    }
  }
}

/** Adds conversations: most of one avatar, one in ten without an answer, one in twenty did not help, one in fifty with an error. */
async function fillConversations(
  folder: string,
  organizationId: string,
  contextUuid: string,
  count: number,
): Promise<void> {
  const database = new Database(join(folder, "visavis.db"));
  const quarterYearMs = 90 * 86_400_000;
  await beginWriting(database);
  database
    .prepare(
      `insert into conversation (sequence, session_id, organization_id, context_uuid, started_at_ms, ended_at_ms, duration_sec,
        termination_reason, ending, questions, unanswered, helped, first_question, expires_at_ms, deleted_at_ms)
      with recursive number (value) as (select 1 union all select value + 1 from number where value < ?),
      begun (value, at_ms) as (select value, ? + value * ? from number)
      select at_ms * ?, lower(hex(randomblob(20))), ?, case when value % 7 = 0 then 'another' else ? end, at_ms, at_ms + 60000, 60,
        'GRACEFUL_TERMINATION', case when value % 50 = 0 then 'error' else 'visitor' end, 3,
        case when value % 10 = 0 then 1 else 0 end, case when value % 20 = 0 then 0 end, 'How much is the Birch chair?',
        at_ms + 31536000000, null
      from begun`,
    )
    .run([
      count,
      Date.now() - quarterYearMs,
      Math.floor(quarterYearMs / count),
      placesPerMs,
      organizationId,
      contextUuid,
    ]);
  database.exec("commit; analyze; pragma wal_checkpoint(truncate)");
  database.close();
}

const endless = { reads: 1e9, writes: 1e9 };

const noEngine = () => Promise.reject(new Error("There is no such engine here."));

/** A synthesizer that is required but never used. */
const silent: SpeechSynthesizer = { voices: [], synthesize: noEngine, close: () => Promise.resolve() };

async function serveService(folder: string) {
  allowHeapGrowth();
  const { store } = await openStorage(
    { dataFolder: folder, databaseUrl },
    { ...silentLogger, warn: console.warn, error: console.error },
  );
  await seed({ store, clock: systemClock, demoInstructions: "We sell chairs.", apiKey: serverApiKey });
  const { id: organizationId } = (await store.organizations.first())!;
  // The benchmark needs twenty thousand sessions at once, so the quotas are removed.
  await store.organizations.setQuotas(organizationId, { activeSessions: null, minutesPerSession: null });
  const quiet = () => undefined;
  const responder = createRetrievalResponder();
  const service = createService({
    clock: systemClock,
    store,
    files: openFolderFiles(join(folder, "files")),
    media: () => ({
      exchange: () => Promise.reject(new Error("There is no media here.")),
      close: quiet,
      announceRestart: quiet,
      peerCount: 0,
      readyProcesses: 0,
      stop: () => Promise.resolve(),
    }),
    synthesizer: () => silent,
    recognizer: () => null,
    audio: { decode: noEngine, align: noEngine, finish: noEngine, close: () => Promise.resolve() },
    languageModel: () => responder,
    interactiveAgent: () => null,
    outbound: { engine: () => noEngine, address: () => noEngine, webhook: () => noEngine },
    textReader: { read: noEngine, close: () => Promise.resolve() },
    installation: {
      machine: { environment: {}, allowPrivateAddresses: false, publicFolder: "/" },
      dataFolder: folder,
      modelsUrl: "",
      version: "benchmark",
      nodeVersion: process.versions.node,
      memoryBytes: () => process.memoryUsage.rss(),
      startedAtMs: Date.now(),
      database: databaseUrl === undefined ? "embedded" : "PostgreSQL",
      mediaProcesses: 0,
      trialEngines: () => {
        throw new Error("There are no engines here.");
      },
    },
    counter: new MemoryCounter(),
    log: { debug: quiet, info: quiet, warn: console.warn, error: console.error },
    settings: {
      ...defaultServiceSettings,
      publicUrl: "http://localhost",
      publicFolder: "/",
      // Requests are counted as usual but never refused, because one key creates 200 sessions per second here.
      rateLimits: { key: endless, session: endless, address: endless, loginsPerMinute: 10 },
    },
  });
  service.start();
  const { port } = await listen((incoming, environment) => service.app.fetch(incoming, environment), 0);
  const { id: prompt } = (await store.contexts.byContextId(organizationId, "ctx_demo"))!;
  process.on("message", (order: ServerOrder) => {
    if (order.type === "live")
      void makeLive(store, organizationId, order.count).then((ids) => process.send!({ ids }));
    else if (order.type === "fill")
      void fill(folder, organizationId, order.count).then((ids) => process.send!({ ids }));
    else if (order.type === "conversations") {
      void fillConversations(folder, organizationId, prompt, order.count).then(() =>
        process.send!({ count: order.count }),
      );
    } else {
      globalThis.gc?.();
      process.send!({ rssBytes: process.memoryUsage.rss() });
    }
  });
  process.send!({ port, prompt });
}

async function serveConstant() {
  const app = new Hono();
  app.all("*", (context) => context.json({ status: "ok" }, 201));
  const { port } = await listen((incoming) => app.fetch(incoming), 0);
  process.send!({ port, prompt: "" });
}

if (kind === "constant") await serveConstant();
else if (kind === "service") {
  const folder = mkdtempSync(join(tmpdir(), "visavis-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  await serveService(folder);
}
process.on("disconnect", () => process.exit(0));
process.on("SIGTERM", () => process.exit(0));
