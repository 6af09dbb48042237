import * as z from "zod";
import type { UnansweredCause } from "../../protocol/console/unanswered.ts";
import type { LlmRequest } from "../../protocol/llm-request.ts";
import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import { ratingSchema } from "../../protocol/rating.ts";
import type { SessionEventKind } from "../../protocol/session-event.ts";
import { sessionReference } from "../../logging/logger.ts";
import type { SessionRecord, Store } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";
import { sessionDurationSec } from "./session-machine.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Keeps the figures of visitors' conversations, and what was said where the avatar's owner keeps that. */
export interface ConversationRecorder {
  /** Notes that a session changed its status. Does not wait and does not fail. */
  statusChanged(session: SessionRecord): void;
  /** Passes an answer on, and notes the question and the answer at its end. */
  turn(
    session: SessionRecord,
    asked: LlmRequest,
    answer: AsyncIterable<LlmStreamEvent>,
  ): AsyncIterable<LlmStreamEvent>;
  /** Notes a visitor's verdict. Resolves with the detail of the event that may be stored. */
  reported(sessionId: string, report: Report): Promise<string | null>;
}

interface Dependencies extends Pick<SessionDependencies, "clock" | "log"> {
  store: Pick<Store, "conversations" | "contexts">;
}

const reportedRatingSchema = z.object({ rating: ratingSchema });

function ratingIn({ event, detail }: Report) {
  if (event !== "SESSION_LOG" || !detail?.includes('"rating"')) return null;
  try {
    const parsed = reportedRatingSchema.safeParse(JSON.parse(detail));
    return parsed.success ? parsed.data.rating : null;
  } catch {
    return null;
  }
}

/** The visitor's question of a turn; null for a turn that only brings a tool's result. */
function questionOf({ messages }: LlmRequest): string | null {
  const last = messages.at(-1);
  return last?.role === "user" ? last.content : null;
}

/** An event that a client reports. */
interface Report {
  event: SessionEventKind;
  detail: string | null;
}

type ConversationStores = Dependencies["store"];

async function begin(
  { conversations, contexts }: ConversationStores,
  { id, organizationId, contextUuid, state }: SessionRecord,
): Promise<void> {
  if (contextUuid === null) return;
  const context = await contexts.byUuid(organizationId, contextUuid);
  // What an operator tries in the console is no visitor's conversation.
  if (context?.previewOf !== undefined) return;
  const days = context?.embed_config.retention_days ?? 0;
  const startedAtMs = state.inProgressAtMs ?? state.createdAtMs;
  const expiresAtMs = days === 0 ? null : startedAtMs + days * dayMs;
  await conversations.begin({ sessionId: id, organizationId, contextUuid, startedAtMs, expiresAtMs });
}

async function end(store: ConversationStores, session: SessionRecord): Promise<void> {
  const { id, state } = session;
  if (state.inProgressAtMs === null) return;
  // The beginning of the conversation may not be stored yet.
  await begin(store, session);
  await store.conversations.end(id, {
    endedAtMs: state.endedAtMs,
    durationSec: sessionDurationSec(state),
    terminationReason: state.terminationReason,
  });
}

/** Records the conversations of a store. */
export function createConversationRecorder({ store, clock, log }: Dependencies): ConversationRecorder {
  const { conversations } = store;

  /** A conversation goes on even if it cannot be recorded. */
  async function attempt({ id }: Pick<SessionRecord, "id">, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const line = { session: sessionReference(id), error: String(error) };
      log.error("a conversation could not be recorded", line);
    }
  }

  return {
    statusChanged(session) {
      if (session.contextUuid === null) return;
      const { status } = session.state;
      if (status === "IN_PROGRESS") void attempt(session, () => begin(store, session));
      if (status === "TERMINATED") void attempt(session, () => end(store, session));
    },
    async *turn(session, asked, answer) {
      const atMs = clock.nowMs();
      const question = session.contextUuid === null ? null : questionOf(asked);
      let text = "";
      let missing: UnansweredCause | null = null;
      try {
        for await (const event of answer) {
          if (event.status === "success" && event.type === "message") text += event.content;
          if (event.status === "success" && event.type === "finish" && event.found === false)
            missing = "no_answer";
          if (event.status === "error") missing = "failed";
          yield event;
        }
      } catch (error) {
        missing = "failed";
        throw error;
      } finally {
        if (question !== null)
          await attempt(session, async () => {
            // A client may ask before it reports that the session has started.
            await begin(store, session);
            const answeredAtMs = clock.nowMs();
            await conversations.addTurn(session.id, { atMs, answeredAtMs, question, answer: text, missing });
          });
      }
    },
    async reported(sessionId, report) {
      const rating = ratingIn(report);
      if (rating === null) return report.detail;
      if (rating.of === "conversation") await conversations.setHelped(sessionId, rating.value === "up");
      if (rating.value === "down") await conversations.addUnhelpful(sessionId, clock.nowMs());
      if (rating.why === undefined || (await conversations.keepsWords(sessionId))) return report.detail;
      // The visitor's own words are kept only where words are kept.
      const { why: _words, ...rest } = rating;
      return JSON.stringify({ rating: rest });
    },
  };
}
