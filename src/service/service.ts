import type { UnitIndexes } from "./knowledge/matching/unit-index.ts";
import type { TextReader } from "./administration/knowledge/reading/text-reader.ts";
import { createWebsiteReader } from "./administration/knowledge/website/website-reader.ts";
import type { BodyBudget, Installation } from "./installation.ts";
import type { ClientAddress } from "./http/node-request.ts";
import { createHttpApp, type HttpApp } from "./http/http-app.ts";
import { EngineRecord, recordKey } from "./administration/engines/engine-record.ts";
import { failureWords } from "./administration/trials/engine-trials.ts";
import { measuredEngines, type CallNotes } from "./metrics/measured-engines.ts";
import type { MediaEngine, MediaHooks } from "./media/media-engine.ts";
import { createServiceMetrics } from "./metrics/metrics.ts";
import { createPeerKeeper } from "./sessions/life/peer-keeper.ts";
import { createTextNormalizer } from "./normalization/text-normalizer.ts";
import { createRetention } from "./retention.ts";
import { publicFiles } from "./sessions/connection/public-files.ts";
import type { SessionDependencies } from "./sessions/session-dependencies.ts";
import { localNotices, type SessionNotices } from "./sessions/life/session-notices.ts";
import { createSessions } from "./sessions/sessions.ts";
import { createWebhookEvents } from "./webhooks/webhook-events.ts";
import { createWebhookSender } from "./webhooks/webhook-sender.ts";

/** Dependencies of the service. The media engine is created by a factory, because it calls back into the service. */
export interface ServiceDependencies extends Omit<
  SessionDependencies,
  "media" | "metrics" | "normalizer" | "notices" | "webhooks"
> {
  media: (hooks: MediaHooks) => MediaEngine;
  /** What the service knows of the machine that it runs on. */
  installation: Installation;
  /** Reads what strangers wrote: uploaded files, and pages of websites. */
  textReader: TextReader;
  /** The indexes of documents. Default: by their words alone. */
  indexOf?: UnitIndexes | undefined;
  /** Reports what other processes do to sessions of the same store. Default: there is no other process. */
  notices?: SessionNotices | undefined;
  /** The memory budget for request bodies. Default: no limit on their total. */
  bodyBudget?: BodyBudget;
  /** Finds the client address of a request. Default: unknown, so that all callers without a key share one limit. */
  clientAddress?: ClientAddress;
}

/** The interactive avatar session service. */
export interface Service extends HttpApp {
  /** Ends every session whose lease ran out; resolves with how many. */
  sweep(): Promise<number>;
  /** Removes event files whose retention time is over; resolves with how many. */
  removeOldFiles(): Promise<number>;
  /** Removes what was deleted or has expired. */
  removeExpired(): Promise<void>;
  /** Sends what is due to webhooks. */
  sendWebhooks(): Promise<void>;
  /** Starts to check leases and old files regularly. */
  start(): void;
  /** Ends an organization's session for its operator. Throws a not-found Fault. */
  endSession(organizationId: string, sessionId: string): Promise<void>;
  /** Stops new sessions, and ends live ones or prepares them for a restart; resolves within 7 s. Must be called before `stop`. */
  drain(): Promise<void>;
  /** Stops the lease checks and the media engine. The store stays open, because it belongs to the caller. */
  stop(): Promise<void>;
}

/** Media hooks that are looked up at each call. The service needs the engine, and the engine needs the service's hooks. */
function lateHooks(hooks: () => MediaHooks): MediaHooks {
  return {
    synthesize: (...call) => hooks().synthesize(...call),
    lipSync: (...call) => hooks().lipSync(...call),
    hear: (...call) => hooks().hear(...call),
    recognize: (...call) => hooks().recognize(...call),
    translate: (...call) => hooks().translate(...call),
    template: (...call) => hooks().template(...call),
    background: (...call) => hooks().background(...call),
    onConnected: (sessionId) => hooks().onConnected(sessionId),
    onActivity: (sessionId) => hooks().onActivity(sessionId),
    onClosed: (sessionId, cause) => hooks().onClosed(sessionId, cause),
    onProcessDied: () => hooks().onProcessDied(),
  };
}

/** Warns at every start that pages may send API keys, because this is rarely intended. */
function warnOfKeysInPages({ log, settings }: Pick<ServiceDependencies, "log" | "settings">): void {
  const { apiOrigins = [] } = settings;
  if (apiOrigins.length > 0)
    log.warn("pages may call with an API key, which everyone who opens them can read", {
      origins: apiOrigins.join(" "),
    });
}

/** Keeps in the record how engines and tool servers answer. A language model and tools write their own lines to the log. */
function callNotes(
  { clock, log }: Pick<ServiceDependencies, "clock" | "log">,
  record: EngineRecord,
): CallNotes {
  const reasonOf = (failure: unknown): string | null =>
    failure === undefined ? null : failureWords(failure);
  return {
    noteCall(kind, id, succeeded, failure) {
      const reason = reasonOf(failure);
      record.note(recordKey(kind, id), succeeded, clock.nowMs(), reason);
      if (reason !== null && (kind === "tts_type" || kind === "stt_type"))
        log.warn("speech engine fault", { config: `${kind} ${id}`, detail: reason });
    },
    noteToolServer({ server, isCall, failure }) {
      const key = recordKey("mcp_server", server.mcpserver_id);
      const use = [failure === undefined, clock.nowMs(), reasonOf(failure)] as const;
      if (isCall) record.note(key, ...use);
      else record.noteConnection(key, ...use);
    },
  };
}

/** Creates the service from its dependencies. Nothing runs until `start`. */
export function createService(given: ServiceDependencies): Service {
  const metrics = createServiceMetrics({
    liveSessions: () => given.store.sessions.countLive(),
    peerCount: () => media.peerCount,
  });
  const engineRecord = new EngineRecord();
  const notes = callNotes(given, engineRecord);
  const dependencies = { ...given, ...measuredEngines(given, metrics, notes), metrics };
  const normalizer = createTextNormalizer(dependencies.outbound);
  const notices = dependencies.notices ?? localNotices();
  const media = createPeerKeeper({
    ...dependencies,
    media: dependencies.media(lateHooks(() => sessions.mediaHooks)),
    notices,
  });
  const webhookSender = createWebhookSender(dependencies);
  const { serviceUrl: consoleUrl = dependencies.settings.publicUrl } = dependencies.settings;
  const webhooks = createWebhookEvents({ ...dependencies, consoleUrl, wake: () => webhookSender.wake() });
  const sessions = createSessions({ ...dependencies, media, normalizer, notices, webhooks });
  const retention = createRetention(dependencies);
  const websiteReader = createWebsiteReader(dependencies);
  const files = publicFiles(dependencies.settings, dependencies.files);
  return {
    ...createHttpApp({
      ...dependencies,
      media,
      engineRecord,
      sessions,
      files,
      normalizer,
      websiteReader,
      webhookSender,
      uploads: dependencies.files,
    }),
    sweep: () => sessions.sweep(),
    removeOldFiles: () => sessions.removeOldFiles(),
    removeExpired: () => retention.sweep(),
    async sendWebhooks() {
      await webhooks.settled();
      await webhookSender.sendDue();
    },
    start() {
      warnOfKeysInPages(dependencies);
      sessions.start();
      retention.start();
      websiteReader.start();
      webhookSender.start();
      media.start();
    },
    endSession: (organizationId, sessionId) => sessions.end(organizationId, sessionId),
    drain: () => sessions.drain(),
    async stop() {
      sessions.stop();
      retention.stop();
      // Together: what is being read for a website would otherwise hold up the stop until its time is over.
      await Promise.all([websiteReader.stop(), dependencies.textReader.close(), webhookSender.stop()]);
      await webhooks.settled();
      await media.stop();
    },
  };
}
