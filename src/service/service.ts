import type { FileReader } from "./administration/knowledge/files/file-reader.ts";
import { createWebsiteReader } from "./administration/knowledge/website/website-reader.ts";
import type { BodyBudget } from "./body-budget.ts";
import type { ClientAddress } from "./http/client-address.ts";
import { createHttpApp } from "./http/http-app.ts";
import type { HttpApp } from "./http/http-app.ts";
import { EngineRecord, recordKey } from "./administration/engines/engine-record.ts";
import type { Installation } from "./installation.ts";
import { measuredEngines, type NoteCall } from "./measured-engines.ts";
import type { MediaEngine, MediaHooks } from "./media/media-engine.ts";
import { createServiceMetrics } from "./metrics.ts";
import { createPeerKeeper } from "./sessions/peer-keeper.ts";
import { createTextNormalizer } from "./normalization/text-normalizer.ts";
import { createRetention } from "./retention.ts";
import { publicFiles } from "./sessions/public-files.ts";
import type { SessionDependencies } from "./sessions/session-dependencies.ts";
import { localNotices, type SessionNotices } from "./sessions/session-notices.ts";
import { createSessions } from "./sessions/sessions.ts";

/** Dependencies of the service. The media engine is created by a factory, because it calls back into the service. */
export interface ServiceDependencies extends Omit<SessionDependencies, "media" | "metrics" | "normalizer"> {
  media: (hooks: MediaHooks) => MediaEngine;
  /** What the service knows of the machine that it runs on. */
  installation: Installation;
  /** Reads uploaded PDF and Word documents. */
  fileReader: FileReader;
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

/** Creates the service from its dependencies. Nothing runs until `start`. */
export function createService(given: ServiceDependencies): Service {
  const metrics = createServiceMetrics({
    liveSessions: () => given.store.sessions.countLive(),
    peerCount: () => media.peerCount,
  });
  const engineRecord = new EngineRecord();
  const noteCall: NoteCall = (kind, id, succeeded) =>
    engineRecord.note(recordKey(kind, id), succeeded, given.clock.nowMs());
  const dependencies = { ...given, ...measuredEngines(given, metrics, noteCall), metrics };
  const normalizer = createTextNormalizer(dependencies.guardedFetch);
  const media = createPeerKeeper({
    ...dependencies,
    media: dependencies.media(lateHooks(() => sessions.mediaHooks)),
    notices: dependencies.notices ?? localNotices(),
  });
  const sessions = createSessions({ ...dependencies, media, normalizer });
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
      uploads: dependencies.files,
    }),
    sweep: () => sessions.sweep(),
    removeOldFiles: () => sessions.removeOldFiles(),
    removeExpired: () => retention.sweep(),
    start() {
      warnOfKeysInPages(dependencies);
      sessions.start();
      retention.start();
      websiteReader.start();
      media.start();
    },
    endSession: (organizationId, sessionId) => sessions.end(organizationId, sessionId),
    drain: () => sessions.drain(),
    async stop() {
      sessions.stop();
      retention.stop();
      await websiteReader.stop();
      await dependencies.fileReader.close();
      await media.stop();
    },
  };
}
