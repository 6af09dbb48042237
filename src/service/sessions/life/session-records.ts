import type { SessionRetrieved } from "../../../protocol/session/session.ts";
import type { SessionEventAnswer } from "../../../protocol/session/session-event-request.ts";
import { heartbeatKinds } from "../../../protocol/session/session-event.ts";
import { Fault } from "../../faults/fault.ts";
import type { Page, PageRequest } from "../../store/store.ts";
import type { SessionPeople } from "../person/session-people.ts";
import type { ConversationRecorder } from "../events/conversation-record.ts";
import { readDocument } from "../documents.ts";
import { EventBudget } from "../events/event-budget.ts";
import { eventFileRoom, type EventFileRoom } from "../events/event-files.ts";
import type { PublicFiles } from "../connection/public-files.ts";
import type { SessionAccess } from "./session-access.ts";
import { sessionIdPattern } from "./session-creation.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { type EventReport, eventView, reportEvent } from "../events/session-events.ts";
import type { SessionLifecycle } from "./session-lifecycle.ts";
import type { SessionShutdown } from "./session-shutdown.ts";
import { retrievedView } from "./session-view.ts";

/** A copy of an object without some of its fields; null stays null. */
function without<Value extends object, Name extends keyof Value & string>(
  value: Value | null,
  names: readonly Name[],
): Omit<Value, Name> | null {
  if (value === null) return null;
  const copy = { ...value };
  for (const name of names) Reflect.deleteProperty(copy, name);
  return copy;
}

/** The fields with a config's hook addresses, and with what is sent to the hooks. */
const hookFields = [
  "hook_enabled",
  "pre_hook_url",
  "pre_hook_args",
  "post_hook_url",
  "post_hook_args",
] as const;

/**
 * What a caller without an API key may read of a session. Left out are prompt texts, hooks, tool servers, agent configs,
 * documents, and the free-form fields that the operator or the session's creator filled in.
 */
function browserView(session: SessionRetrieved): SessionRetrieved {
  return {
    ...session,
    prompt: without(session.prompt, ["system_prompt", "description"]),
    tts_type: without(session.tts_type, ["voice_settings", "voice_extra_data"]),
    stt_type: without(session.stt_type, ["options"]),
    text_normalization_config: without(session.text_normalization_config, hookFields),
    stt_text_normalization_config: without(session.stt_text_normalization_config, hookFields),
    interactive_agent_config: without(session.interactive_agent_config, ["description", "organization"]),
    agent_config: null,
    mcp_servers: [],
    document: null,
    extra_data: null,
  };
}

/** What records of sessions need besides the dependencies of a session. */
interface RecordParts {
  access: SessionAccess;
  lifecycle: SessionLifecycle;
  shutdown: Pick<SessionShutdown, "told">;
  published: PublicFiles;
  conversations: ConversationRecorder;
  people: Pick<SessionPeople, "count">;
}

/** The stored data of sessions: views, events and files. Its operations throw Faults. */
export interface SessionRecords {
  /** `keyOf`: the organization of the caller's API key, if any. A caller without a key gets the browser's view. */
  retrieve(sessionId: string, keyOf: string | null): Promise<SessionRetrieved>;
  report(sessionId: string, report: EventReport): Promise<SessionEventAnswer>;
  /** The events of an organization's session, in the order they were stored. */
  events(organizationId: string, sessionId: string, request: PageRequest): Promise<Page<SessionEventAnswer>>;
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
  { access, lifecycle, shutdown, published, conversations, people }: RecordParts,
): SessionRecords {
  const { store, files, settings } = dependencies;
  const budget = new EventBudget(store);
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
      const event = await reportEvent(dependencies, { lifecycle, budget }, sessionId, { ...report, detail });
      if (event.terminate && heartbeatKinds.has(event.event)) shutdown.told(sessionId);
      if (event.terminate || !heartbeatKinds.has(event.event)) return event;
      const count = await people.count(await access.existing(sessionId));
      return count > 0 ? { ...event, people: count } : event;
    },
    async events(organizationId, sessionId, request) {
      const session = await access.owned(organizationId, sessionId);
      const { items, next } = await store.events.page(session.id, request);
      return { items: items.map((event) => eventView(event, settings)), next };
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
