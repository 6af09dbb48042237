import type { Generated } from "kysely";
import type { MessageState } from "../../../protocol/console/inbox.ts";
import type { Page, PageRequest } from "../database/paging.ts";

/** The table of messages. */
export interface InboxMessageColumns {
  sequence: Generated<number>;
  id: string;
  session_id: string;
  /** Sent again with the same one, a message counts once. */
  request_id: string;
  organization_id: string;
  context_uuid: string;
  at_ms: number;
  state: MessageState;
  state_by: string;
  text: string;
  name: string;
  email: string;
  phone: string;
  page: string;
  agreed_to: string;
  deleted_at_ms: number | null;
}

/** What a visitor has left while nobody was there. Texts are empty where nothing was given. */
export interface MessageRecord {
  id: string;
  sessionId: string;
  /** The visitor's page gives it: sent again, a message counts once. */
  requestId: string;
  organizationId: string;
  contextUuid: string;
  atMs: number;
  state: MessageState;
  /** Who has changed the state last. */
  stateBy: string;
  text: string;
  name: string;
  email: string;
  phone: string;
  page: string;
  /** What the visitor agreed to. */
  agreedTo: string;
}

/** Which messages a list has. */
export interface MessageFilter {
  state?: MessageState | undefined;
  contextUuid?: string | undefined;
}

/** Visitors' messages. Those of a deleted conversation are not found. */
export interface InboxStore {
  /** Stores a message, unless it is `known` already or the session has `limit` others and is `full`. */
  add(message: MessageRecord, limit: number): Promise<"added" | "known" | "full">;
  /** The newest first. */
  page(organizationId: string, filter: MessageFilter, request: PageRequest): Promise<Page<MessageRecord>>;
  byId(organizationId: string, id: string): Promise<MessageRecord | null>;
  ofSession(sessionId: string): Promise<MessageRecord[]>;
  counts(organizationId: string): Promise<Record<MessageState, number>>;
  /** Resolves with whether there is such a message. */
  setState(organizationId: string, id: string, state: MessageState, by: string): Promise<boolean>;
  /** Resolves with whether there was such a message. */
  setDeleted(organizationId: string, id: string, deletedAtMs: number): Promise<boolean>;
  /** Removes those that were deleted, and those from before a time, at most `limit`; resolves with how many. */
  removeOld(beforeMs: number, limit: number): Promise<number>;
}
