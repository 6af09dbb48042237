import { randomUUID } from "node:crypto";
import type { Logger } from "../../logging/logger.ts";
import type { WebhookEvent } from "../../protocol/console/webhooks.ts";
import type { Clock } from "../clock.ts";
import { errorMessage } from "../faults/error-message.ts";
import type { ConversationRecord, SessionRecord, Store, WebhookLimits } from "../store/store.ts";

/** What an event tells beside the conversation. */
export interface WebhookFacts {
  data?: Readonly<Record<string, unknown>>;
  /** What the visitor said. It is sent only to owners who want it, and, but for messages, only where the conversation's words are kept. */
  words?: Readonly<Record<string, unknown>>;
}

/** Tells owners of events. */
export interface WebhookEvents {
  /** Notes an event for the webhooks that want it. Does not wait and does not fail. */
  publish(
    type: WebhookEvent,
    session: Pick<SessionRecord, "id" | "organizationId">,
    facts?: WebhookFacts,
  ): void;
}

/** Events whose words are what was said until then. */
const withTranscript: ReadonlySet<WebhookEvent> = new Set(["person.asked", "conversation.ended"]);

/** The most characters of a transcript that are sent; the last ones. */
const transcriptMaxCharacters = 50_000;

/** How many events may wait for the database. More are dropped: conversations go on. */
const maxNoted = 1_000;

/** How much is stored for a webhook whose receiver does not answer. */
export const webhookLimits: WebhookLimits = { waiting: 1_000, ofConversation: 20 };

interface Parts {
  store: Pick<Store, "webhooks" | "conversations" | "contexts">;
  clock: Clock;
  log: Logger;
  /** Where the console is. */
  consoleUrl: string;
  /** Sends what is due. */
  wake: () => void;
}

const isoTime = (timeMs: number | null): string | null =>
  timeMs === null ? null : new Date(timeMs).toISOString();

/** A new `webhook-id`. */
export const newDeliveryId = (): string => `msg_${randomUUID().replaceAll("-", "")}`;

/** What every event tells of its conversation. */
async function conversationFacts(
  { store, consoleUrl }: Parts,
  record: ConversationRecord,
): Promise<Record<string, unknown>> {
  const context = await store.contexts.byUuid(record.organizationId, record.contextUuid);
  return {
    id: record.sessionId,
    url: `${consoleUrl}/console/#/conversations/${encodeURIComponent(record.sessionId)}`,
    avatar: { id: record.contextUuid, name: context?.config.ui?.avatar_name ?? context?.name ?? null },
    started_at: isoTime(record.startedAtMs),
    ended_at: isoTime(record.endedAtMs),
    duration_sec: record.endedAtMs === null ? null : record.durationSec,
    end_reason: record.terminationReason,
    questions: record.questions,
    unanswered: record.unanswered,
  };
}

/** The words of an event; null: there are none. */
async function wordsOf(
  { store }: Parts,
  type: WebhookEvent,
  { sessionId, expiresAtMs }: ConversationRecord,
  { words }: WebhookFacts,
): Promise<Record<string, unknown> | null> {
  if (expiresAtMs === null && type !== "message.left") return null;
  if (!withTranscript.has(type)) return words ?? null;
  let room = transcriptMaxCharacters;
  const entries = await store.conversations.entries(sessionId);
  const said = entries.filter(({ role }) => role === "visitor" || role === "avatar" || role === "person");
  const last = said.toReversed().filter(({ text }) => (room -= text.length) >= 0);
  const transcript = last.toReversed().map(({ atMs, role, text }) => ({ at: isoTime(atMs), role, text }));
  return { ...words, transcript };
}

/** Notes events in the store, one after another. */
export function createWebhookEvents(parts: Parts): WebhookEvents & { settled(): Promise<void> } {
  const { store, clock, log, wake } = parts;
  let noted = 0;
  let last: Promise<void> = Promise.resolve();

  async function note(
    type: WebhookEvent,
    { id, organizationId }: Pick<SessionRecord, "id" | "organizationId">,
    facts: WebhookFacts,
    atMs: number,
  ): Promise<void> {
    const wanting = (await store.webhooks.list(organizationId)).filter(
      ({ state, events }) => state === "on" && events.includes(type),
    );
    if (wanting.length === 0) return;
    // What is tried in the console is no visitor's conversation, and is not recorded.
    const conversation = await store.conversations.byId(organizationId, id);
    if (conversation === null) return;
    const data = { conversation: await conversationFacts(parts, conversation), ...facts.data };
    const isSaid = wanting.some(({ withWords }) => withWords);
    const words = isSaid ? await wordsOf(parts, type, conversation, facts) : null;
    for (const { id: webhookId, withWords } of wanting) {
      const content = { id: newDeliveryId(), webhookId, sessionId: id, type, atMs, data };
      if (!(await store.webhooks.add({ ...content, words: withWords ? words : null }, webhookLimits)))
        log.warn("an event is not sent to a webhook: too many wait, or are of one conversation", {
          config: `webhook ${webhookId}`,
        });
    }
    wake();
  }

  return {
    publish(type, session, facts = {}) {
      if (noted >= maxNoted) {
        log.warn("an event is not sent to webhooks: too many wait for the database", { detail: type });
        return;
      }
      noted++;
      const atMs = clock.nowMs();
      last = last
        .then(() => note(type, session, facts, atMs))
        .catch((error: unknown) => {
          log.error("an event could not be noted for webhooks", { detail: type, error: errorMessage(error) });
        })
        .finally(() => {
          noted--;
        });
    },
    settled: () => last,
  };
}
