import type { Hono } from "hono";
import type { BodyBudget } from "./body-budget.ts";
import { createHttpApp } from "./http/http-app.ts";
import type { ClientAddress } from "./http/rate-limit.ts";
import { measuredEngines } from "./measured-engines.ts";
import type { MediaEngine, MediaHooks } from "./media/media-engine.ts";
import { createServiceMetrics } from "./metrics.ts";
import { createPeerKeeper } from "./sessions/peer-keeper.ts";
import { createTextNormalizer } from "./normalization/text-normalizer.ts";
import { publicFiles } from "./sessions/public-files.ts";
import type { SessionDependencies } from "./sessions/session-dependencies.ts";
import { localNotices, type SessionNotices } from "./sessions/session-notices.ts";
import { createSessions } from "./sessions/sessions.ts";

/** What the service is made from. The media engine is made by a factory, because it calls back into the service. */
export interface ServiceDependencies extends Omit<SessionDependencies, "media" | "metrics" | "normalizer"> {
  media: (hooks: MediaHooks) => MediaEngine;
  /** How it hears of what other processes do to the same store's sessions. Default: it is the only one. */
  notices?: SessionNotices | undefined;
  /** The memory for request bodies. Default: without a limit for all of them together. */
  bodyBudget?: BodyBudget;
  /** Where a request came from; default: unknown, so that all callers without a key share one limit. */
  clientAddress?: ClientAddress;
}

/** The interactive avatar session service. */
export interface Service {
  /** Answers `/api/…`, `/openapi.json`, `/healthz`, `/readyz` and `/metrics`. */
  app: Hono;
  /** Ends every session whose lease ran out; resolves with how many. */
  sweep(): Promise<number>;
  /** Removes files of events whose time is over; resolves with how many. */
  removeOldFiles(): Promise<number>;
  /** Begins to look at leases and at old files regularly. */
  start(): void;
  /** The operator's ending of an organization's session. Throws a not-found Fault. */
  endSession(organizationId: string, sessionId: string): Promise<void>;
  /** Lets no session begin any more and tells the clients of live ones; resolves within 7 s. Comes before `stop`. */
  drain(): Promise<void>;
  /** Stops looking at leases and ends the media engine. The store stays open: it belongs to the caller. */
  stop(): Promise<void>;
}

/** The engine that a promise of one will be: the service needs the engine, and the engine the service's hooks. */
function lateHooks(hooks: () => MediaHooks): MediaHooks {
  return {
    synthesize: (...call) => hooks().synthesize(...call),
    lipSync: (...call) => hooks().lipSync(...call),
    recognize: (...call) => hooks().recognize(...call),
    translate: (...call) => hooks().translate(...call),
    characterFile: (...call) => hooks().characterFile(...call),
    background: (...call) => hooks().background(...call),
    onConnected: (sessionId) => hooks().onConnected(sessionId),
    onActivity: (sessionId) => hooks().onActivity(sessionId),
    onClosed: (sessionId, cause) => hooks().onClosed(sessionId, cause),
    onProcessDied: () => hooks().onProcessDied(),
  };
}

/** Says at every start that somebody allowed what is rarely meant. */
function warnOfKeysInPages({ log, settings }: Pick<ServiceDependencies, "log" | "settings">): void {
  const { apiOrigins = [] } = settings;
  if (apiOrigins.length > 0)
    log.warn("pages may call with an API key, which everybody who opens them can read", {
      origins: apiOrigins.join(" "),
    });
}

/** Builds the service from its dependencies. Nothing runs until `start`. */
export function createService(given: ServiceDependencies): Service {
  const metrics = createServiceMetrics({
    liveSessions: () => given.store.sessions.countLive(),
    peerCount: () => media.peerCount,
  });
  const dependencies = { ...given, ...measuredEngines(given, metrics), metrics };
  const normalizer = createTextNormalizer(dependencies.guardedFetch);
  const media = createPeerKeeper({
    ...dependencies,
    media: dependencies.media(lateHooks(() => sessions.mediaHooks)),
    notices: dependencies.notices ?? localNotices(),
  });
  const sessions = createSessions({ ...dependencies, media, normalizer });
  const files = publicFiles(dependencies.settings);
  return {
    app: createHttpApp({
      ...dependencies,
      sessions,
      files,
      normalizer,
      uploads: dependencies.files,
    }),
    sweep: () => sessions.sweep(),
    removeOldFiles: () => sessions.removeOldFiles(),
    start() {
      warnOfKeysInPages(dependencies);
      sessions.start();
      media.start();
    },
    endSession: (organizationId, sessionId) => sessions.end(organizationId, sessionId),
    drain: () => sessions.drain(),
    async stop() {
      sessions.stop();
      await media.stop();
    },
  };
}
