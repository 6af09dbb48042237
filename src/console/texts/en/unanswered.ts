import { many } from "./count.ts";

/** The texts of the unanswered questions, in English. */
export const unanswered = {
  title: "Unanswered questions",
  lead: "What visitors asked and no avatar could answer. An answer that you write here is used at once.",
  order: "Order",
  most: "Most asked first",
  newest: "Newest first",
  asked: (times: number, ways: number, last: string) =>
    `Asked ${many(times, "time", "times")}${ways > 1 ? ` in ${ways} ways` : ""}, last ${last}`,
  teach: "Teach",
  hide: (question: string) => `Not for us: hide “${question}”`,
  hidden: "The question is hidden.",
  answer: "Answer",
  answerHelp: "Two or three sentences, as the avatar would say them.",
  also: "Also for",
  submit: "Teach it",
  taught: (times: number) => `The avatar knows this now. It was asked ${many(times, "time", "times")}.`,
  taughtNotFound:
    "The answer is kept, but the question does not find it yet. Use the question’s words in the answer.",
  withoutWords: (count: number) =>
    `${many(count, "question", "questions")} had no answer, and their words are not kept.`,
  none: "Nothing missing",
  noneText: "Every question whose words are kept had an answer.",
};
