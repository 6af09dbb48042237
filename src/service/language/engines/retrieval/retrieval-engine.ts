import type { LlmStreamEvent } from "../../../../protocol/answers/llm-stream.ts";
import { answerSources } from "../../../knowledge/answering/answer-sources.ts";
import { type Answer, answerQuestion, encodeMessages } from "../../../knowledge/answering/answer-question.ts";
import { asRead } from "../../../knowledge/matching/question.ts";
import { keepUnitIndexes } from "../../../knowledge/matching/unit-index.ts";
import { dayTodayIn } from "../../../knowledge/words/weekdays.ts";
import type { LanguageModel } from "../../language-model.ts";
import { speakingPieces } from "../../streaming/spoken-stream.ts";
import * as z from "zod";
import type { LanguageEngine } from "../../language-engine.ts";

/** What the visitor may have meant, as suggestions below the answer. */
function offered(choices: readonly string[]): LlmStreamEvent {
  const visavis = { suggestions: [...choices] };
  return {
    status: "success",
    type: "tool_call",
    role: "tool",
    content: "",
    tool_call_id: "choices",
    visavis,
  };
}

const hasAnswer = ({ certainty }: Answer): boolean => certainty === "sure" || certainty === "likely";

/**
 * The language model that works immediately and offline. It quotes the session's documents word for word; where it is not sure it
 * offers what may be meant, and says so when it finds nothing. It never invents anything, and never quotes the system prompt, which
 * is meant for language models that follow it.
 */
export function createRetrievalResponder(indexOf = keepUnitIndexes()): LanguageModel {
  return {
    quotesOnly: true,
    async prepare({ documents = [] }) {
      await indexOf(documents);
    },
    async *answer(turn): AsyncGenerator<LlmStreamEvent> {
      const { documents = [], locale, avatarName, timeZone } = turn;
      const messages = asRead(turn.messages);
      const index = await indexOf(documents);
      const vectors = await encodeMessages(messages, index);
      const visitor = { locale, avatarName, dayToday: dayTodayIn(timeZone), vectors };
      const answer = await answerQuestion(messages, index, visitor);
      for (const content of speakingPieces([...answer.sentences])) {
        if (turn.signal?.aborted) return;
        yield { status: "success", type: "message", role: "assistant", content };
      }
      if (answer.choices.length > 0) yield offered(answer.choices);
      const sources = turn.namesSources ? answerSources(answer.quoted, index, documents) : [];
      // Of what is missing the owner learns, and clients may offer a person.
      const finding = { ...(!hasAnswer(answer) && { found: false }), ...(sources.length > 0 && { sources }) };
      if (Object.keys(finding).length > 0)
        yield { status: "success", type: "finish", role: "assistant", content: "", ...finding };
    },
  };
}

/** Quotes the context's documents: offline, always available. */
export const retrievalEngine: LanguageEngine<object> = {
  kind: "retrieval",
  isBuiltIn: true,
  settingsSchema: z.object({}),
  check: () => [],
  create: (_entry, { indexOf }) => createRetrievalResponder(indexOf),
};
