import type { Attachment } from "../../protocol/answers/attachment.ts";
import type { WireError } from "../../protocol/schema/error-body.ts";
import type { ExchangeRequest, ExchangeResponse } from "../../protocol/session/exchange.ts";
import type { IceServer } from "../../protocol/session/ice.ts";
import type { SessionCreate, SessionCreated } from "../../protocol/session/session.ts";
import type { SttResponse } from "../../protocol/speech/recognition.ts";
import type { TtsRequest, TtsResponse } from "../../protocol/speech/speech.ts";
import type { MediaHooks } from "../media/media-engine.ts";
import type { EventFileRoom } from "./events/event-files.ts";
import { createFileRetention } from "./life/file-retention.ts";
import { publicFiles, type PublicFiles } from "./connection/public-files.ts";
import { EarlyAnswers } from "./answers/early-answers.ts";
import { createEngineBudget, type EngineBudget } from "./answers/engine-budget.ts";
import { SessionAccess } from "./life/session-access.ts";
import { prepareAnswers } from "./answers/session-language.ts";
import { sessionAnswers, type SessionAnswers } from "./answers/session-answers.ts";
import {
  attachmentRoom,
  type AttachmentUpload,
  keepAttachment,
  removeAttachment,
  removeEndedAttachments,
} from "./answers/session-attachments.ts";
import { createSession, furtherCreateFaults } from "./life/session-creation.ts";
import { createSessionPeople, type SessionPeople } from "./person/session-people.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { type ConversationRecorder, createConversationRecorder } from "./events/conversation-record.ts";
import { createFatalOffers, type FatalOffers } from "./connection/fatal-offers.ts";
import { prepareVoice, type SpokenFirst } from "./speech/speech-ahead.ts";
import { exchangeDescriptions } from "./connection/session-exchange.ts";
import { iceServersFor } from "./life/session-view.ts";
import { createSessionLifecycle, type SessionLifecycle } from "./life/session-lifecycle.ts";
import { sessionMediaHooks } from "./connection/session-media-hooks.ts";
import { returnWithinMs } from "./life/session-machine.ts";
import { sessionRecords, type SessionRecords } from "./life/session-records.ts";
import { recognizeFile } from "./hearing/session-recognition.ts";
import { createSessionShutdown, type SessionShutdown } from "./life/session-shutdown.ts";
import { RemovedFaces } from "./connection/session-picture.ts";
import { SessionSweeper } from "./life/session-sweeper.ts";
import { speakAloud } from "./speech/session-speech.ts";

/** All operations on sessions. They throw Faults; a session that does not exist is a not-found Fault. */
export interface Sessions extends SessionAnswers, SessionRecords {
  create(organizationId: string, request: SessionCreate): Promise<SessionCreated>;
  /** What `create` would say of fields that their schema refuses. */
  furtherCreateFaults(organizationId: string, fields: Record<string, unknown>): Promise<WireError[]>;
  /** A page has asked for a context: a session with its voice will probably be created soon. */
  prepareVoice(organizationId: string, spoken: SpokenFirst): Promise<void>;
  /** Throws when the session has ended or does not exist. Called before a body is read. */
  requireLive(sessionId: string): Promise<void>;
  iceServers(sessionId: string): Promise<readonly IceServer[]>;
  /** `address`: where the offer came from; null if unknown. */
  exchange(sessionId: string, request: ExchangeRequest, address: string | null): Promise<ExchangeResponse>;
  /** The session's page is going away. Resolves with the time at which the session ends unless its client comes back. */
  leave(sessionId: string): Promise<{ ends_at: string }>;
  /** Removes event files whose retention time is over; resolves with how many. `start` runs it regularly. */
  removeOldFiles(): Promise<number>;
  speak(sessionId: string, request: TtsRequest, signal: AbortSignal): Promise<TtsResponse>;
  /** Transcribes the speech in an audio file. */
  recognize(
    sessionId: string,
    upload: { bytes: Uint8Array; language: string | undefined; signal: AbortSignal },
  ): Promise<SttResponse>;
  /** How large a file attached to a question may be now. Called before the file is read. */
  attachmentRoom(sessionId: string): Promise<EventFileRoom>;
  /** Stores a file that the visitor attaches to a question. It is removed with the session's end. */
  attach(sessionId: string, upload: AttachmentUpload): Promise<Attachment>;
  /** Removes an attached file of the session, if it is there. */
  detach(sessionId: string, attachmentId: string): Promise<void>;
  /** Ends an organization's session for its operator. An ended session stays unchanged. */
  end(organizationId: string, sessionId: string): Promise<void>;
  /** People who take part in conversations. */
  people: SessionPeople;
  /** The hooks that the media engine calls. */
  mediaHooks: MediaHooks;
  /** Ends every session whose lease ran out; resolves with how many. `start` runs it regularly. */
  sweep(): Promise<number>;
  start(): void;
  stop(): void;
  /** Whether `drain` was called: no session can start any more. */
  readonly isStopping: boolean;
  /** Ends or hands over the sessions before the process stops (see SessionShutdown). */
  drain(): Promise<void>;
}

/** The parts that all operations on sessions share. */
interface SessionParts {
  access: SessionAccess;
  lifecycle: SessionLifecycle;
  shutdown: SessionShutdown;
  published: PublicFiles;
  faces: RemovedFaces;
  budget: EngineBudget;
  early: EarlyAnswers;
  fatalOffers: FatalOffers;
  conversations: ConversationRecorder;
  people: SessionPeople;
}

type ConnectionOperations = Pick<
  Sessions,
  | "prepareVoice"
  | "create"
  | "furtherCreateFaults"
  | "requireLive"
  | "iceServers"
  | "exchange"
  | "leave"
  | "end"
>;

/** Operations of a session's life: create, connect, end. */
function connectionOperations(
  dependencies: Parameters<typeof createSession>[0] &
    Parameters<typeof prepareVoice>[0] &
    Parameters<typeof prepareAnswers>[0] &
    Parameters<typeof exchangeDescriptions>[0],
  {
    access,
    lifecycle,
    shutdown,
    published,
    faces,
    fatalOffers,
  }: Omit<SessionParts, "budget" | "early" | "conversations" | "people">,
): ConnectionOperations {
  const { settings, clock } = dependencies;
  return {
    async create(organizationId, request) {
      shutdown.refuseWhenStopping();
      const created = await createSession(dependencies, organizationId, request);
      void prepareVoice(dependencies, organizationId, { tts_type: request.tts_type });
      void prepareAnswers(dependencies, created.session_id);
      return created;
    },
    furtherCreateFaults: (organizationId, fields) =>
      furtherCreateFaults(dependencies, organizationId, fields),
    prepareVoice: (organizationId, spoken) => prepareVoice(dependencies, organizationId, spoken),
    requireLive: (sessionId) => access.requireLive(sessionId),
    async iceServers(sessionId) {
      await access.live(sessionId);
      return iceServersFor(settings.ice, sessionId, clock.nowMs());
    },
    async exchange(sessionId, request, address) {
      const session = await access.live(sessionId);
      // A peer that is created now would not survive.
      shutdown.refuseWhenStopping();
      const files = faces.of(sessionId, published);
      return exchangeDescriptions(dependencies, files, lifecycle, fatalOffers, session, request, address);
    },
    async leave(sessionId) {
      const known = await access.existing(sessionId);
      const session = await lifecycle.apply(sessionId, { type: "leave" }, { known });
      const leavingAtMs = session?.state.leavingAtMs ?? clock.nowMs();
      return { ends_at: new Date(session?.state.endedAtMs ?? leavingAtMs + returnWithinMs).toISOString() };
    },
    async end(organizationId, sessionId) {
      const known = await access.owned(organizationId, sessionId);
      await lifecycle.apply(
        sessionId,
        { type: "end", reason: "GRACEFUL_TERMINATION", by: "service" },
        { known },
      );
    },
  };
}

type EngineDependencies = Parameters<typeof speakAloud>[0] &
  Parameters<typeof recognizeFile>[0] &
  Parameters<typeof sessionAnswers>[0] &
  Parameters<typeof keepAttachment>[0];

/** Operations that use engines, within the sessions' budgets, and the files that are for them. */
function engineOperations(
  dependencies: EngineDependencies,
  parts: Pick<SessionParts, "access" | "budget" | "early" | "shutdown" | "conversations" | "people">,
): Pick<Sessions, "speak" | "recognize" | "answer" | "beginAnswer" | "attachmentRoom" | "attach" | "detach"> {
  const { access, budget } = parts;
  return {
    attachmentRoom: async (sessionId) => attachmentRoom(dependencies, await access.live(sessionId)),
    attach: async (sessionId, upload) => keepAttachment(dependencies, await access.live(sessionId), upload),
    detach: async (sessionId, attachmentId) =>
      removeAttachment(dependencies, await access.live(sessionId), attachmentId),
    async speak(sessionId, request, signal) {
      const session = await access.live(sessionId);
      await budget.takeCharacters(session, request.text.length);
      return speakAloud(dependencies, session, request, signal);
    },
    async recognize(sessionId, upload) {
      const session = await access.live(sessionId);
      await budget.takeRecognition(session);
      return recognizeFile(dependencies, session, upload);
    },
    ...sessionAnswers(dependencies, { ...parts, desk: parts.people.desk }),
  };
}

/** Creates the operations on sessions from a store and engines. */
export function createSessions(dependencies: SessionDependencies): Sessions {
  const early = new EarlyAnswers();
  const published = publicFiles(dependencies.settings, dependencies.files);
  const faces = new RemovedFaces(published, () => dependencies.clock.nowMs());
  const ended = (id: string): void => {
    early.drop(id);
    faces.ended(id);
  };
  const lifecycle = createSessionLifecycle({ ...dependencies, ended });
  const shutdown = createSessionShutdown(dependencies, lifecycle);
  const removeAttachments = () => removeEndedAttachments(dependencies);
  const sweeper = new SessionSweeper({ ...dependencies, lifecycle, faces, removeAttachments });
  const retention = createFileRetention(dependencies);
  const access = new SessionAccess({ sessions: dependencies.store.sessions, lifecycle });
  const budget = createEngineBudget(dependencies);
  const parts: SessionParts = {
    access,
    lifecycle,
    shutdown,
    published,
    faces,
    budget,
    early,
    fatalOffers: createFatalOffers(dependencies),
    conversations: createConversationRecorder(dependencies),
    people: createSessionPeople(dependencies, { access, budget }),
  };
  return {
    ...connectionOperations(dependencies, parts),
    ...sessionRecords(dependencies, parts),
    ...engineOperations(dependencies, parts),
    mediaHooks: sessionMediaHooks(dependencies, { ...parts, files: parts.published }),
    removeOldFiles: () => retention.removeOld(),
    sweep: () => sweeper.sweep(),
    start() {
      sweeper.start();
      retention.start();
    },
    people: parts.people,
    stop() {
      parts.people.stop();
      sweeper.stop();
      retention.stop();
    },
    get isStopping() {
      return shutdown.isStopping;
    },
    drain() {
      // A stream would hold the server's stop up.
      parts.people.stop();
      return shutdown.drain();
    },
  };
}
