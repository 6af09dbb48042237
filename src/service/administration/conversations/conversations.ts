import type { ConversationEntry, ConversationRecord, EventRecord, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";

type ConversationStore = Pick<Store, "conversations">;

/** A conversation with what was said and what happened. */
export interface WholeConversation {
  conversation: ConversationRecord;
  entries: ConversationEntry[];
  /** Without heartbeats. */
  events: EventRecord[];
}

/** A conversation of an organization. Throws AdministrationError `not_found`. */
export async function wholeConversation(
  { conversations, events }: Pick<Store, "conversations" | "events">,
  organizationId: string,
  sessionId: string,
): Promise<WholeConversation> {
  const conversation = await conversations.byId(organizationId, sessionId);
  if (conversation === null)
    throw new AdministrationError("not_found", `There is no conversation "${sessionId}".`);
  const reported = await events.list(sessionId);
  return {
    conversation,
    entries: await conversations.entries(sessionId),
    events: reported.filter(({ kind }) => kind !== "SESSION_DURING"),
  };
}

/** Deletes a conversation; until the service removes it, it can be restored. Throws AdministrationError `not_found`. */
export async function deleteConversation(
  { conversations }: ConversationStore,
  organizationId: string,
  sessionId: string,
  nowMs: number,
): Promise<void> {
  if ((await conversations.setDeleted(organizationId, sessionId, nowMs)) === 0)
    throw new AdministrationError("not_found", `There is no conversation "${sessionId}".`);
}

/** Undoes the deletion of a conversation. Throws AdministrationError `not_found`, also when it is too late. */
export async function restoreConversation(
  { conversations }: ConversationStore,
  organizationId: string,
  sessionId: string,
): Promise<void> {
  if ((await conversations.restore(organizationId, sessionId)) === 0)
    throw new AdministrationError("not_found", `There is no deleted conversation "${sessionId}".`);
}
