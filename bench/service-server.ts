/** The server under load, in a process of its own: the service on a store of its own, or a constant answer. */
import { createRetrievalResponder } from "../src/service/language/retrieval-responder.ts";
import type { SpeechSynthesizer } from "../src/service/speech/speech-synthesizer.ts";
import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Hono } from "hono";
import Database from "libsql";
import { allowHeapGrowth } from "../src/command-line/heap-growth.ts";
import { listen } from "../src/command-line/http-server.ts";
import { MemoryCounter } from "../src/relay/index.ts";
import { systemClock } from "../src/service/clock.ts";
import { createService } from "../src/service/service.ts";
import { defaultServiceSettings } from "../src/service/service-settings.ts";
import { openFolderFiles } from "../src/service/store/folder-files.ts";
import { openStorage } from "../src/service/store/open-storage.ts";
import { seed } from "../src/service/store/seed.ts";
import type { SessionRecord, Store } from "../src/service/store/store.ts";

/** What the benchmark asks of the server. */
export type ServerOrder =
  /** Makes so many sessions in progress, each of which was seen at another moment of the last 10 s. */
  | { type: "live"; count: number }
  /** Fills the store up with sessions that have ended, past the service. */
  | { type: "fill"; count: number }
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
  // They began within the last minute, so their next minutes are bought at different moments too.
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

/** Fills the tables to `count` sessions; answers some of their ids, taken from all over. */
function fill(folder: string, organizationId: string, count: number): string[] {
  const database = new Database(join(folder, "visavis.db"));
  const counted = database.prepare("select count(*) as present from session").all() as { present: number }[];
  const missing = count - (counted[0]?.present ?? 0);
  database.exec("pragma busy_timeout = 60000; begin immediate");
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

const endless = { reads: 1e9, writes: 1e9 };

const noEngine = () => Promise.reject(new Error("There is no such engine here."));

/** A voice that is there and is never asked. */
const silent: SpeechSynthesizer = { voices: [], synthesize: noEngine, close: () => Promise.resolve() };

async function serveService(folder: string) {
  allowHeapGrowth();
  const { store } = await openStorage(
    { dataFolder: folder, databaseUrl },
    { info: () => undefined, warn: console.warn, error: console.error },
  );
  await seed({ store, clock: systemClock, demoInstructions: "We sell chairs.", apiKey: serverApiKey });
  const { id: organizationId } = (await store.organizations.first())!;
  // Twenty thousand sessions at once is what is measured.
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
      peerCount: 0,
      stop: () => Promise.resolve(),
    }),
    synthesizer: () => silent,
    recognizer: () => null,
    audio: { decode: noEngine, align: noEngine, close: () => Promise.resolve() },
    languageModel: () => responder,
    interactiveAgent: () => null,
    guardedFetch: noEngine,
    counter: new MemoryCounter(),
    log: { info: quiet, warn: console.warn, error: console.error },
    settings: {
      ...defaultServiceSettings,
      publicUrl: "http://localhost",
      publicFolder: "/",
      // Counted like any others, but never too many: one key makes 200 sessions a second here.
      rateLimits: { key: endless, session: endless, address: endless, loginsPerMinute: 10 },
    },
  });
  service.start();
  const { port } = await listen((incoming, environment) => service.app.fetch(incoming, environment), 0);
  const { id: prompt } = (await store.contexts.byContextId(organizationId, "ctx_demo"))!;
  process.on("message", (order: ServerOrder) => {
    if (order.type === "live")
      void makeLive(store, organizationId, order.count).then((ids) => process.send!({ ids }));
    else if (order.type === "fill") process.send!({ ids: fill(folder, organizationId, order.count) });
    else {
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
