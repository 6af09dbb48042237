import type {
  ConversationEntry,
  ConversationRecord,
  EventRecord,
  MessageRecord,
  Store,
} from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import type {
  Conversation,
  ConversationDetail,
  ConversationMoment,
} from "../../../protocol/console/conversations.ts";
import type { Retention } from "../../../protocol/console/settings.ts";
import { changeEmbedConfig } from "../contexts/avatars.ts";
import { namedContext } from "../contexts/contexts.ts";

type ConversationStore = Pick<Store, "conversations">;

/** A conversation with what was said and what happened. */
interface WholeConversation {
  conversation: ConversationRecord;
  entries: ConversationEntry[];
  /** Without heartbeats. */
  events: EventRecord[];
  /** What the visitor has left for a person. */
  messages: MessageRecord[];
}

/** A conversation of an organization. Throws AdministrationError `not_found`. */
export async function wholeConversation(
  { conversations, events, inbox }: Pick<Store, "conversations" | "events" | "inbox">,
  organizationId: string,
  sessionId: string,
): Promise<WholeConversation> {
  const conversation = await conversations.byId(organizationId, sessionId);
  if (conversation === null)
    throw new AdministrationError("not_found", `There is no conversation "${sessionId}".`);
  const reported = await events.list(sessionId);
  return {
    conversation,
    // Where words are not kept, they are stored while somebody may join, and nobody reads them later.
    entries: conversation.expiresAtMs === null ? [] : await conversations.entries(sessionId),
    events: reported.filter(({ kind }) => kind !== "SESSION_DURING"),
    messages: await inbox.ofSession(sessionId),
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

const isoTime = (timeMs: number): string => new Date(timeMs).toISOString();
const optionalTime = (timeMs: number | null): string | null => (timeMs === null ? null : isoTime(timeMs));

/** A conversation in the form that the console's operations return. */
export function conversationView(record: ConversationRecord): Conversation {
  return {
    session_id: record.sessionId,
    context: record.contextUuid,
    started_at: isoTime(record.startedAtMs),
    ended_at: optionalTime(record.endedAtMs),
    duration_sec: record.durationSec,
    termination_reason: record.terminationReason,
    questions: record.questions,
    unanswered: record.unanswered,
    helped: record.helped,
    first_question: record.firstQuestion,
    words_until: optionalTime(record.expiresAtMs),
  };
}

/** The same with everything that was said and happened, in the order of time. */
export function conversationDetail({
  conversation,
  entries,
  events,
  messages,
}: WholeConversation): ConversationDetail {
  const sinceStart = (timeMs: number) => Math.max(0, timeMs - conversation.startedAtMs) / 1000;
  const said = entries.map(({ atMs, role, text, answered, name }): [number, ConversationMoment] => {
    const at_sec = sinceStart(atMs);
    if (role === "visitor") return [atMs, { type: role, at_sec, text }];
    if (role === "avatar") return [atMs, { type: role, at_sec, text, answered }];
    return [atMs, { type: role, at_sec, text, name }];
  });
  const happened = events.map(({ createdAtMs, kind, detail }): [number, ConversationMoment] => [
    createdAtMs,
    { type: "event", at_sec: sinceStart(createdAtMs), event: kind, detail },
  ]);
  const left = messages.map(({ id, atMs, text }): [number, ConversationMoment] => [
    atMs,
    { type: "message", at_sec: sinceStart(atMs), text, message: id },
  ]);
  const moments = [...said, ...happened, ...left]
    .sort(([one], [other]) => one - other)
    .map(([, moment]) => moment);
  return { ...conversationView(conversation), moments };
}

/** How long the words of an organization's conversations are kept, and how many conversations there are. */
export async function retentionOf(
  { contexts, conversations }: Pick<Store, "contexts" | "conversations">,
  organizationId: string,
): Promise<Retention> {
  const { all, withWords } = await conversations.count(organizationId);
  return {
    contexts: (await contexts.list(organizationId)).map(({ id, name, config }) => ({
      id,
      name,
      retention_days: config.retention_days ?? 0,
    })),
    conversations_with_words: withWords,
    conversations: all,
  };
}

/**
 * Sets for how many days words are kept, for some contexts or all. The new number also applies to earlier conversations. Throws
 * AdministrationError `not_found`.
 */
export async function setRetention(
  store: Pick<Store, "contexts">,
  change: { organizationId: string; by: string; nowMs: number },
  {
    retention_days: days,
    contexts: asked,
  }: { retention_days: number; contexts?: readonly string[] | undefined },
): Promise<void> {
  const { organizationId } = change;
  const named = asked ?? (await store.contexts.list(organizationId)).map(({ id }) => id);
  // Checks that all exist before changing any.
  const ids: string[] = [];
  for (const identifier of named) ids.push((await namedContext(store, organizationId, identifier)).id);
  for (const id of ids)
    await changeEmbedConfig(store, { ...change, id }, (config) => ({ ...config, retention_days: days }));
}
