import type { SessionEvent } from "../../protocol/session-event.ts";
import type { SessionRetrieved } from "../../protocol/session.ts";
import { Fault } from "../fault.ts";
import type { Page, PageRequest } from "../store/store.ts";
import { browserView } from "./browser-view.ts";
import type { ConversationRecorder } from "./conversation-record.ts";
import { readDocument } from "./documents.ts";
import { eventFileRoom, type EventFileRoom } from "./event-files.ts";
import type { PublicFiles } from "./public-files.ts";
import type { SessionAccess } from "./session-access.ts";
import { sessionIdPattern } from "./session-creation.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { eventView, reportEvent, type EventReport } from "./session-events.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";
import type { SessionShutdown } from "./session-shutdown.ts";
import { retrievedView } from "./session-view.ts";

/** What records of sessions need besides the dependencies of a session. */
interface RecordParts {
  access: SessionAccess;
  lifecycle: SessionLifecycle;
  shutdown: Pick<SessionShutdown, "told">;
  published: PublicFiles;
  conversations: ConversationRecorder;
}

/** The stored data of sessions: views, events and files. Its operations throw Faults. */
export interface SessionRecords {
  /** `keyOf`: the organization of the caller's API key, if any. A caller without a key gets the browser's view. */
  retrieve(sessionId: string, keyOf: string | null): Promise<SessionRetrieved>;
  report(sessionId: string, report: EventReport): Promise<SessionEvent>;
  /** The events of an organization's session, in the order they were stored. */
  events(organizationId: string, sessionId: string, request: PageRequest): Promise<Page<SessionEvent>>;
  /** How large a file uploaded with an event may be now. Called before the file is read. */
  eventFileRoom(sessionId: string): Promise<EventFileRoom>;
  /** The file uploaded with an event; a not-found Fault when it was removed. */
  eventFile(sessionId: string, eventId: string): Promise<Uint8Array>;
  /** The text of an organization's knowledge document. */
  documentText(organizationId: string, documentId: string): Promise<string>;
}

/** Reads and adds to the stored data of sessions. */
export function sessionRecords(
  dependencies: Pick<SessionDependencies, "store" | "files" | "clock" | "settings" | "log">,
  { access, lifecycle, shutdown, published, conversations }: RecordParts,
): SessionRecords {
  const { store, files, settings } = dependencies;
  return {
    async retrieve(sessionId, keyOf) {
      const session = await access.existing(sessionId);
      const detail = await store.sessions.detail(sessionId);
      if (detail === null) throw Fault.notFound();
      const view = await retrievedView(dependencies, published, session, detail);
      return keyOf === session.organizationId ? view : browserView(view);
    },
    async report(sessionId, report) {
      if (!sessionIdPattern.test(sessionId)) throw Fault.notFound();
      const detail = await conversations.reported(sessionId, report);
      const event = await reportEvent(dependencies, lifecycle, sessionId, { ...report, detail });
      if (event.terminate) shutdown.told(sessionId);
      return event;
    },
    async events(organizationId, sessionId, request) {
      const session = await access.owned(organizationId, sessionId);
      const { items, next } = await store.events.page(session.id, request);
      return { items: items.map((event) => eventView(event, settings.publicUrl)), next };
    },
    async eventFileRoom(sessionId) {
      return eventFileRoom(dependencies, await access.existing(sessionId));
    },
    async eventFile(sessionId, eventId) {
      await access.existing(sessionId);
      const event = await store.events.byId(sessionId, eventId);
      const bytes = event?.file ? await files.read(event.file) : null;
      if (bytes === null) throw Fault.notFound();
      return bytes;
    },
    async documentText(organizationId, documentId) {
      const found = await readDocument(dependencies, organizationId, documentId);
      if (found === null) throw Fault.notFound();
      return found.text;
    },
  };
}
