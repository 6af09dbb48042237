import type { ExchangeRequest, ExchangeResponse } from "../../protocol/exchange.ts";
import type { IceServer } from "../../protocol/ice.ts";
import type { LlmRequest, LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionEvent } from "../../protocol/session-event.ts";
import type { SessionCreate, SessionCreated, SessionRetrieved } from "../../protocol/session.ts";
import type { SttResponse } from "../../protocol/recognition.ts";
import type { TtsRequest, TtsResponse } from "../../protocol/speech.ts";
import { Fault } from "../fault.ts";
import type { MediaHooks } from "../media/media-engine.ts";
import type { SessionRecord } from "../store/store.ts";
import { browserView } from "./browser-view.ts";
import { readDocument } from "./documents.ts";
import { eventFileRoom, type EventFileRoom } from "./event-files.ts";
import { createFileRetention } from "./file-retention.ts";
import { publicFiles } from "./public-files.ts";
import { answerTurn } from "./session-conversation.ts";
import { createEngineBudget } from "./engine-budget.ts";
import { untilOver } from "./finished-answer.ts";
import { createSession, sessionIdPattern } from "./session-creation.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { eventView, reportEvent } from "./session-events.ts";
import type { EventReport } from "./session-events.ts";
import { createFatalOffers } from "./fatal-offers.ts";
import { exchangeDescriptions } from "./session-exchange.ts";
import { iceServersFor } from "./session-ice-servers.ts";
import { createSessionLifecycle } from "./session-lifecycle.ts";
import { sessionMediaHooks } from "./session-media-hooks.ts";
import { recognizeFile } from "./session-recognition.ts";
import { createSessionShutdown } from "./session-shutdown.ts";
import { speakAloud } from "./session-speech.ts";
import { speakingAhead } from "./session-speech-ahead.ts";
import { retrievedView } from "./session-view.ts";

/** Everything that can be done with sessions. Operations throw Faults; a session that is not there is not found. */
export interface Sessions {
  create(organizationId: string, request: SessionCreate): Promise<SessionCreated>;
  /** `keyOf`: the organization whose API key the caller shows, if any. Whoever shows none sees the browser's view. */
  retrieve(sessionId: string, keyOf: string | null): Promise<SessionRetrieved>;
  /** Throws where nothing can be done with the session any more. Asked before a body is read. */
  requireLive(sessionId: string): Promise<void>;
  iceServers(sessionId: string): Promise<readonly IceServer[]>;
  /** `address`: where the offer came from; null where that is not known. */
  exchange(sessionId: string, request: ExchangeRequest, address: string | null): Promise<ExchangeResponse>;
  report(sessionId: string, report: EventReport): Promise<SessionEvent>;
  /** The events of an organization's session, in the order they were stored. */
  events(organizationId: string, sessionId: string): Promise<SessionEvent[]>;
  /** How large a file may be that comes with an event now. Asked before the file is read. */
  eventFileRoom(sessionId: string): Promise<EventFileRoom>;
  /** Removes files of events whose time is over; resolves with how many. `start` does it regularly. */
  removeOldFiles(): Promise<number>;
  /** The file that came with an event; not found where it was removed. */
  eventFile(sessionId: string, eventId: string): Promise<Uint8Array>;
  speak(sessionId: string, request: TtsRequest, signal: AbortSignal): Promise<TtsResponse>;
  /** Writes down what is said in an audio file. */
  recognize(
    sessionId: string,
    upload: { bytes: Uint8Array; language: string | undefined; signal: AbortSignal },
  ): Promise<SttResponse>;
  answer(sessionId: string, turn: LlmRequest, signal: AbortSignal): Promise<AsyncIterable<LlmStreamEvent>>;
  /** The text of an organization's knowledge document. */
  documentText(organizationId: string, documentId: string): Promise<string>;
  /** The operator's ending of an organization's session; one that has ended stays as it is. */
  end(organizationId: string, sessionId: string): Promise<void>;
  /** What the media engine calls. */
  mediaHooks: MediaHooks;
  /** Ends every session whose lease ran out; resolves with how many. `start` does it regularly. */
  sweep(): Promise<number>;
  start(): void;
  stop(): void;
  /** Whether `drain` was called: no session begins any more. */
  readonly isStopping: boolean;
  /** Takes leave of the clients (see SessionShutdown). */
  drain(): Promise<void>;
}

/** Sessions on a store, with their engines. */
export function createSessions(dependencies: SessionDependencies): Sessions {
  const { store, files, settings } = dependencies;
  const lifecycle = createSessionLifecycle(dependencies);
  const retention = createFileRetention(dependencies);
  const shutdown = createSessionShutdown(dependencies, lifecycle);
  const published = publicFiles(settings);
  const budget = createEngineBudget(dependencies);
  const fatalOffers = createFatalOffers(dependencies);

  async function existing(sessionId: string): Promise<SessionRecord> {
    const session = sessionIdPattern.test(sessionId) ? await store.sessions.byId(sessionId) : null;
    if (session === null) throw Fault.notFound();
    return session;
  }

  /** The session of a call that only a client which is there can make: so the call is a sign of life. */
  async function live(sessionId: string): Promise<SessionRecord> {
    const session = sessionIdPattern.test(sessionId)
      ? await lifecycle.apply(sessionId, { type: "alive", by: "call" })
      : null;
    if (session === null) throw Fault.notFound();
    if (session.state.terminationReason) {
      shutdown.told(sessionId);
      throw Fault.sessionEnded(session.state.terminationReason);
    }
    return session;
  }

  return {
    async create(organizationId, request) {
      shutdown.refuseWhenStopping();
      return createSession(dependencies, organizationId, request);
    },
    async retrieve(sessionId, keyOf) {
      const session = await existing(sessionId);
      const detail = await store.sessions.detail(sessionId);
      if (detail === null) throw Fault.notFound();
      const view = await retrievedView(dependencies, published, session, detail);
      return keyOf === session.organizationId ? view : browserView(view);
    },
    async requireLive(sessionId) {
      const { state } = await existing(sessionId);
      if (state.terminationReason === null) return;
      shutdown.told(sessionId);
      throw Fault.sessionEnded(state.terminationReason);
    },
    async iceServers(sessionId) {
      await live(sessionId);
      return iceServersFor(settings.ice, sessionId, dependencies.clock.nowMs());
    },
    async exchange(sessionId, request, address) {
      const session = await live(sessionId);
      // A peer that is made now would not live.
      shutdown.refuseWhenStopping();
      return exchangeDescriptions(dependencies, published, lifecycle, fatalOffers, session, request, address);
    },
    async report(sessionId, report) {
      if (!sessionIdPattern.test(sessionId)) throw Fault.notFound();
      const event = await reportEvent(dependencies, lifecycle, sessionId, report);
      if (event.terminate) shutdown.told(sessionId);
      return event;
    },
    async events(organizationId, sessionId) {
      const session = await existing(sessionId);
      if (session.organizationId !== organizationId) throw Fault.notFound();
      return (await store.events.list(session.id)).map((event) => eventView(event, settings.publicUrl));
    },
    async eventFileRoom(sessionId) {
      return eventFileRoom(dependencies, await existing(sessionId));
    },
    removeOldFiles: () => retention.removeOld(),
    async eventFile(sessionId, eventId) {
      await existing(sessionId);
      const event = (await store.events.list(sessionId)).find(({ id }) => id === eventId);
      const bytes = event?.file ? await files.read(event.file) : null;
      if (bytes === null) throw Fault.notFound();
      return bytes;
    },
    async speak(sessionId, request, signal) {
      const session = await live(sessionId);
      await budget.takeCharacters(session, request.text.length);
      return speakAloud(dependencies, session, request, signal);
    },
    async recognize(sessionId, upload) {
      const session = await live(sessionId);
      await budget.takeRecognition(session);
      return recognizeFile(dependencies, session, upload);
    },
    async answer(sessionId, turn, signal) {
      const session = await live(sessionId);
      const endTurn = await budget.takeTurn(session, signal);
      try {
        const answer = await answerTurn(dependencies, session, turn, signal);
        return untilOver(speakingAhead(dependencies, session, answer, signal), endTurn);
      } catch (error) {
        endTurn();
        throw error;
      }
    },
    async end(organizationId, sessionId) {
      const session = await existing(sessionId);
      if (session.organizationId !== organizationId) throw Fault.notFound();
      const trigger = { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" } as const;
      await lifecycle.apply(sessionId, trigger, { known: session });
    },
    async documentText(organizationId, documentId) {
      const document = await readDocument(dependencies, organizationId, documentId);
      if (document === null) throw Fault.notFound();
      return document.text;
    },
    mediaHooks: sessionMediaHooks(dependencies, { lifecycle, files: published, budget, fatalOffers }),
    sweep: () => lifecycle.sweep(),
    start() {
      lifecycle.start();
      retention.start();
    },
    stop() {
      lifecycle.stop();
      retention.stop();
    },
    get isStopping() {
      return shutdown.isStopping;
    },
    drain: () => shutdown.drain(),
  };
}
