import type {
  Conversation,
  ConversationDetail,
  ConversationMoment,
} from "../../../protocol/console/conversations.ts";
import type { ConversationRecord } from "../../store/store.ts";
import type { WholeConversation } from "./conversations.ts";

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
export function conversationDetail({ conversation, entries, events }: WholeConversation): ConversationDetail {
  const sinceStart = (timeMs: number) => Math.max(0, timeMs - conversation.startedAtMs) / 1000;
  const said = entries.map(({ atMs, role, text, answered }): [number, ConversationMoment] => {
    const at_sec = sinceStart(atMs);
    return [atMs, role === "visitor" ? { type: role, at_sec, text } : { type: role, at_sec, text, answered }];
  });
  const happened = events.map(({ createdAtMs, kind, detail }): [number, ConversationMoment] => [
    createdAtMs,
    { type: "event", at_sec: sinceStart(createdAtMs), event: kind, detail },
  ]);
  const moments = [...said, ...happened].sort(([one], [other]) => one - other).map(([, moment]) => moment);
  return { ...conversationView(conversation), moments };
}
