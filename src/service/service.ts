import type { Hono } from "hono";
import { createHttpApp } from "./http/http-app.ts";
import type { MediaEngine, MediaHooks } from "./media/media-engine.ts";
import { publicFiles } from "./sessions/public-files.ts";
import type { SessionDependencies } from "./sessions/session-dependencies.ts";
import { createSessions } from "./sessions/sessions.ts";

/** What the service is made from. The media engine is made by a factory, because it calls back into the service. */
export interface ServiceDependencies extends Omit<SessionDependencies, "media"> {
  media: (hooks: MediaHooks) => MediaEngine;
}

/** The interactive avatar session service. */
export interface Service {
  /** Answers `/api/…`, `/healthz` and `/readyz`. */
  app: Hono;
  /** Ends every session whose lease ran out; resolves with how many. */
  sweep(): Promise<number>;
  /** Begins to look at leases regularly. */
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
    onConnected: (sessionId) => hooks().onConnected(sessionId),
    onActivity: (sessionId) => hooks().onActivity(sessionId),
    onClosed: (sessionId, cause) => hooks().onClosed(sessionId, cause),
  };
}

/** Builds the service from its dependencies. Nothing runs until `start`. */
export function createService(dependencies: ServiceDependencies): Service {
  const media = dependencies.media(lateHooks(() => sessions.mediaHooks));
  const sessions = createSessions({ ...dependencies, media });
  const files = publicFiles(dependencies.settings);
  return {
    app: createHttpApp({ ...dependencies, sessions, files }),
    sweep: () => sessions.sweep(),
    start: () => sessions.start(),
    endSession: (organizationId, sessionId) => sessions.end(organizationId, sessionId),
    drain: () => sessions.drain(),
    async stop() {
      sessions.stop();
      await media.stop();
    },
  };
}
