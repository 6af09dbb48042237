import type { LlmRequest } from "../../protocol/llm-request.ts";
import type { LlmStreamEvent } from "../../protocol/llm-stream.ts";
import type { SessionRecord } from "../store/store.ts";
import type { ConversationRecorder } from "./conversation-record.ts";
import { orAgain, type EarlyAnswers } from "./early-answers.ts";
import type { EngineBudget } from "./engine-budget.ts";
import { untilOver } from "./finished-answer.ts";
import type { SessionAccess } from "./session-access.ts";
import { answerTurn, beginAnswer } from "./session-conversation.ts";
import type { SessionShutdown } from "./session-shutdown.ts";
import { speakingAhead } from "./session-speech-ahead.ts";

/** What answers need besides the dependencies of a session. */
interface AnswerParts {
  access: SessionAccess;
  budget: EngineBudget;
  shutdown: SessionShutdown;
  conversations: ConversationRecorder;
  early: EarlyAnswers;
}

/** Answers of the language model. They throw Faults. */
export interface SessionAnswers {
  /** Answers a turn. */
  answer(sessionId: string, turn: LlmRequest, signal: AbortSignal): Promise<AsyncIterable<LlmStreamEvent>>;
  /** Begins the answer to a turn that is not certain yet. It is answered when the session asks the same. */
  beginAnswer(sessionId: string, turn: LlmRequest): Promise<void>;
}

/** Answers the turns of sessions, also those that begin early. */
export function sessionAnswers(
  dependencies: Parameters<typeof answerTurn>[0] & Parameters<typeof speakingAhead>[0],
  { access, budget, shutdown, conversations, early }: AnswerParts,
): SessionAnswers {
  /** The answer to a turn: the one that began early, if there is one. */
  async function answerOf(
    session: SessionRecord,
    asked: LlmRequest,
    signal: AbortSignal,
  ): Promise<AsyncIterable<LlmStreamEvent>> {
    const fresh = async () =>
      speakingAhead(dependencies, session, await answerTurn(dependencies, session, asked, signal), {
        rate: asked.speech_rate,
        signal,
      });
    const held = await early.take(session.id, asked);
    if (!held) return fresh();
    signal.addEventListener("abort", held.abort, { once: true });
    if (signal.aborted) held.abort();
    await held.noteAsked();
    return orAgain(held.events, signal, fresh);
  }

  return {
    async answer(sessionId, asked, signal) {
      const session = await access.live(sessionId);
      let endTurn = (): void => early.drop(session.id);
      try {
        const giveBack = await budget.takeTurn(session, signal);
        const answered = shutdown.answering();
        endTurn = () => {
          giveBack();
          answered();
        };
        const answer = await answerOf(session, asked, signal);
        return untilOver(conversations.turn(session, asked, answer), endTurn);
      } catch (error) {
        endTurn();
        throw error;
      }
    },
    /** The model's answer, and the sound of its first piece, begin now. Nothing of it is noted before the turn is asked. */
    async beginAnswer(sessionId, asked) {
      const session = await access.live(sessionId);
      shutdown.refuseWhenStopping();
      await early.begin(session.id, asked, async (signal) => {
        const count = () => budget.takeEarlyCall(session);
        const answer = await beginAnswer(dependencies, session, asked, signal, count);
        const spoken = { rate: asked.speech_rate, signal };
        return { ...answer, events: speakingAhead(dependencies, session, answer.events, spoken) };
      });
    },
  };
}
