import type { LlmRequest } from "../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import type { SessionRecord } from "../../store/store.ts";
import type { ConversationRecorder } from "../events/conversation-record.ts";
import { type EarlyAnswers, orAgain } from "./early-answers.ts";
import type { EngineBudget } from "./engine-budget.ts";
import { answerTurn, beginAnswer, untilOver } from "./session-conversation.ts";
import type { PersonDesk } from "../person/person-desk.ts";
import type { SessionAccess } from "../life/session-access.ts";
import type { SessionShutdown } from "../life/session-shutdown.ts";
import { speakingAhead } from "../speech/speech-ahead.ts";

/** What answers need besides the dependencies of a session. */
interface AnswerParts {
  access: SessionAccess;
  budget: EngineBudget;
  shutdown: SessionShutdown;
  conversations: ConversationRecorder;
  early: EarlyAnswers;
  desk: Pick<PersonDesk, "answer" | "current">;
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
  { access, budget, shutdown, conversations, early, desk }: AnswerParts,
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
        // What is written to a person takes a turn too: it is stored.
        const byPerson = await desk.answer(session, asked);
        if (byPerson) {
          early.drop(session.id);
          return untilOver(byPerson, endTurn);
        }
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
      // A person will answer it.
      if (session.contextUuid !== null && (await desk.current(session.id))?.state === "person") return;
      await early.begin(session.id, asked, async (signal) => {
        const count = () => budget.takeEarlyCall(session);
        const answer = await beginAnswer(dependencies, session, asked, signal, count);
        const spoken = { rate: asked.speech_rate, signal };
        return { ...answer, events: speakingAhead(dependencies, session, answer.events, spoken) };
      });
    },
  };
}
