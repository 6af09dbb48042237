import * as z from "zod";
import type { UnansweredCause } from "../../../protocol/console/unanswered.ts";
import type { LlmRequest } from "../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import { type Rating, ratingSchema } from "../../../protocol/answers/rating.ts";
import type { Variables } from "../../../protocol/session/variables.ts";
import type { SessionEventKind } from "../../../protocol/session/session-event.ts";
import { sessionReference } from "../../../logging/logger.ts";
import type { RecordedTurn, SessionRecord, Store } from "../../store/store.ts";
import type { WebhookEvents } from "../../webhooks/webhook-events.ts";
import type { SessionNotices } from "../life/session-notices.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { sessionDurationSec } from "../life/session-machine.ts";

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
  store: Pick<Store, "conversations" | "contexts" | "live" | "sessions">;
  /** Told of each change, for those who look on. */
  notices?: Pick<SessionNotices, "publish">;
  /** Tells owners of what happens. */
  webhooks?: WebhookEvents;
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

/** The most facts about a visit that people are shown, and characters of one. */
const maxFacts = 30;
const factMaxCharacters = 200;

/** What the page has told of the visit, as texts. */
function told(variables: Variables): Record<string, string> {
  const facts = Object.entries(variables).filter(([, value]) => value !== null && value !== "");
  return Object.fromEntries(
    facts.slice(0, maxFacts).map(([name, value]) => [name, String(value).slice(0, factMaxCharacters)]),
  );
}

type ConversationStores = Pick<Dependencies["store"], "conversations" | "contexts">;

/** Stores that a conversation has begun, unless that is known. */
export async function beginConversation(
  { conversations, contexts }: ConversationStores,
  { id, organizationId, contextUuid, state }: SessionRecord,
): Promise<void> {
  if (contextUuid === null) return;
  const context = await contexts.byUuid(organizationId, contextUuid);
  // What an operator tries in the console is no visitor's conversation.
  if (context?.previewOf !== undefined) return;
  const days = context?.config.retention_days ?? 0;
  const startedAtMs = state.inProgressAtMs ?? state.createdAtMs;
  const expiresAtMs = days === 0 ? null : startedAtMs + days * dayMs;
  await conversations.begin({ sessionId: id, organizationId, contextUuid, startedAtMs, expiresAtMs });
}

async function end({ store, webhooks }: Dependencies, session: SessionRecord): Promise<void> {
  const { id, state } = session;
  if (state.inProgressAtMs === null) return;
  // The beginning of the conversation may not be stored yet.
  await beginConversation(store, session);
  await store.conversations.end(id, {
    endedAtMs: state.endedAtMs,
    durationSec: sessionDurationSec(state),
    terminationReason: state.terminationReason,
  });
  webhooks?.publish("conversation.ended", session);
}

/** A question is noted before it is answered, for those who look on. */
async function noteQuestion(
  store: Dependencies["store"],
  session: SessionRecord,
  asked: Pick<RecordedTurn, "atMs" | "question">,
  variables: Variables | undefined,
): Promise<void> {
  // A client may ask before it reports that the session has started.
  await beginConversation(store, session);
  await store.conversations.addQuestion(session.id, asked);
  if (variables) await store.live.describe(session.id, { variables: told(variables) });
}

async function noteAnswer(
  { store, webhooks }: Dependencies,
  session: SessionRecord,
  turn: RecordedTurn,
): Promise<void> {
  const { question, missing: cause, answeredAtMs } = turn;
  await store.conversations.addTurn(session.id, { ...turn, isNoted: true });
  await store.live.countMiss(session.id, cause === "no_answer", answeredAtMs);
  if (cause !== null)
    webhooks?.publish("question.unanswered", session, { data: { cause }, words: { question } });
}

/** Notes a verdict. Resolves with the detail that may be stored. */
async function noteRating(
  { store: { conversations, sessions }, clock, webhooks }: Dependencies,
  sessionId: string,
  { rating, detail }: { rating: Rating; detail: string | null },
): Promise<string | null> {
  const { of, value, why } = rating;
  if (of === "conversation") await conversations.setHelped(sessionId, value === "up");
  if (value === "down") {
    await conversations.addUnhelpful(sessionId, clock.nowMs());
    const session = webhooks && (await sessions.byId(sessionId));
    if (session) webhooks.publish("rating.down", session, { data: { of }, words: { why } });
  }
  if (why === undefined || (await conversations.keepsWords(sessionId))) return detail;
  // The visitor's own words are kept only where words are kept.
  const { why: _words, ...rest } = rating;
  return JSON.stringify({ rating: rest });
}

/** Records the conversations of a store. */
export function createConversationRecorder(parts: Dependencies): ConversationRecorder {
  const { store, clock, log, notices } = parts;

  /** A conversation goes on even if it cannot be recorded. */
  async function attempt({ id }: Pick<SessionRecord, "id">, work: () => Promise<void>): Promise<void> {
    try {
      await work();
      notices?.publish(id);
    } catch (error) {
      const line = { session: sessionReference(id), error: String(error) };
      log.error("a conversation could not be recorded", line);
    }
  }

  return {
    statusChanged(session) {
      if (session.contextUuid === null) return;
      const { status } = session.state;
      if (status === "IN_PROGRESS") void attempt(session, () => beginConversation(store, session));
      if (status === "TERMINATED") void attempt(session, () => end(parts, session));
    },
    async *turn(session, asked, answer) {
      const atMs = clock.nowMs();
      const question = session.contextUuid === null ? null : questionOf(asked);
      let text = "";
      let missing: UnansweredCause | null = null;
      const noted =
        question !== null &&
        attempt(session, () => noteQuestion(store, session, { atMs, question }, asked.variables));
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
        await noted;
        if (question !== null)
          await attempt(session, () => {
            const turn = { atMs, answeredAtMs: clock.nowMs(), question, answer: text, missing };
            return noteAnswer(parts, session, turn);
          });
      }
    },
    async reported(sessionId, report) {
      const rating = ratingIn(report);
      return rating === null
        ? report.detail
        : noteRating(parts, sessionId, { rating, detail: report.detail });
    },
  };
}
