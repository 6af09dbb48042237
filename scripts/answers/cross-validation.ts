import {
  answerQuestion,
  encodeMessages,
  type Answer,
} from "../../src/service/knowledge/answering/answer-question.ts";
import type { Calibrations } from "../../src/service/knowledge/matching/calibration.ts";
import { meets, type Asked, type Site } from "./asked.ts";
import { trainCalibrations, type TrainingQuestions } from "./train.ts";

/** What became of a question. */
interface Outcome {
  asked: Asked;
  answer: Answer;
  isRight: boolean;
  /** Whether one of the choices leads to the answer. */
  isOneTapAway: boolean;
}

async function outcomeOf(asked: Asked, calibrations: Calibrations): Promise<Outcome> {
  const { messages, index, expect, vectors } = asked;
  const answer = await answerQuestion(messages, index, { dayToday: 4, vectors }, calibrations);
  const content = answer.sentences.join(" ");
  let isOneTapAway = false;
  for (const choice of answer.choices) {
    const after = [
      ...messages,
      { role: "assistant" as const, content },
      { role: "user" as const, content: choice },
    ];
    const visitor = { dayToday: 4, vectors: await encodeMessages(after, index) };
    const { sentences } = await answerQuestion(after, index, visitor, calibrations);
    isOneTapAway ||= meets(expect, sentences.join(" "));
  }
  return { asked, answer, isRight: meets(expect, content), isOneTapAway };
}

function row(outcomes: readonly Outcome[]) {
  const answerable = outcomes.filter(({ asked: { expect } }) => !expect.unanswered && !expect.friendly);
  const unanswerable = outcomes.filter(({ asked: { expect } }) => expect.unanswered);
  const percent = (list: readonly Outcome[], is: (one: Outcome) => boolean) =>
    list.length === 0 ? "" : Math.round((100 * list.filter(is).length) / list.length);
  return {
    questions: outcomes.length,
    "right %": percent(answerable, ({ isRight }) => isRight),
    "wrong %": percent(answerable, ({ isRight, answer }) => !isRight && answer.certainty === "sure"),
    "right or one tap away %": percent(answerable, ({ isRight, isOneTapAway }) => isRight || isOneTapAway),
    "unanswerable without a quote %": percent(unanswerable, ({ answer }) => answer.quoted.length === 0),
    "unanswerable without a sure quote %": percent(
      unanswerable,
      ({ answer }) => answer.quoted.length === 0 || answer.certainty !== "sure",
    ),
  };
}

/** Trains without each site in turn, asks that site, and prints what came of it. */
export async function crossValidate(sites: readonly Site[], all: TrainingQuestions): Promise<void> {
  const outcomes: Outcome[] = [];
  for (const site of sites) {
    const others = (list: readonly Asked[]) => list.filter((one) => one.site.name !== site.name);
    const calibrations = trainCalibrations({ words: others(all.words), meaning: others(all.meaning) });
    const own = [...all.meaning, ...all.words].filter((one) => one.site.name === site.name);
    const asked = own.filter(
      ({ index: { encode } }) => (encode === null) === (own[0]?.index.encode === null),
    );
    for (const one of asked) outcomes.push(await outcomeOf(one, calibrations));
  }
  const table: Record<string, ReturnType<typeof row>> = {};
  const add = (name: string, is: (asked: Asked) => boolean) =>
    (table[name] = row(outcomes.filter((one) => is(one.asked))));
  for (const language of new Set(sites.map((site) => site.language)))
    add(language, ({ site }) => site.language === language);
  for (const kind of new Set(all.words.map((one) => one.kind)))
    add(kind, (one) => one.kind === kind && one.turn === 0);
  add("later questions", ({ turn }) => turn > 0);
  add("all", () => true);
  console.table(table);
}
