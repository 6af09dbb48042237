import type { Problem } from "../../../protocol/console/overview.ts";
import { many } from "./count.ts";

/** The texts of the overview, in English. */
export const overview = {
  avatar: "Avatar",
  allAvatars: "All avatars",
  firstTitle: "Three steps to the first conversation",
  firstLead: "Everything is saved as you go. Nobody sees your avatar before step three.",
  firstAllDone: "Everything is there. This list leaves after the first conversation on your page.",
  noneYet: "No conversations yet",
  today: (count: number) =>
    count === 0 ? "No conversations today" : `${many(count, "conversation", "conversations")} today`,
  todayOf: (name: string, count: number) =>
    `${name} had ${count === 0 ? "no conversations" : many(count, "conversation", "conversations")} today`,
  until: (day: string, time: string) => `${day}, until ${time}.`,
  answered: (answered: string, questions: string) => `${answered} of ${questions} questions had an answer.`,
  /** What is wrong, and what to do about it. */
  problem: ({ detail, remedy }: Problem): readonly [string, string] => [detail, remedy],
  since: (time: string) => `Since: ${time}.`,
  solve: {
    engines: "See engines",
    avatars: "See avatars",
    knowledge: "See knowledge",
    settings: "See settings",
  },
  quoted: "Answers are quoted from your texts.",
  quotedText:
    "For free conversation, add a language model whenever you like. Nothing leaves this server until then.",
  addModel: "Add a language model",
  steps: {
    done: "Done",
    avatar: {
      title: "Shape your avatar",
      text: "Face, voice, and how the conversation begins.",
      open: "Not begun",
      choose: "Choose a template, or change an avatar that is there",
      own: (name: string) => `${name} is your own`,
      begin: "Choose an avatar",
      change: (name: string) => `Change ${name}`,
    },
    knowledge: {
      title: "Teach it",
      text: "It only says what you have written.",
      open: "Nothing written yet",
      add: "Write a text, or add a file",
      documents: (count: number) => many(count, "document", "documents"),
      begin: "Teach it something",
      more: "Open knowledge",
    },
    page: {
      title: "Put it on your page",
      text: "One line of HTML. We tell you when it arrives.",
      open: "Not on a page yet",
      waiting: "Waiting for your page",
      done: "On your page",
      name: "Name the address of your page",
      paste: "Paste the line",
      arrived: (host: string, time: string) => `First seen on ${host}: ${time}`,
      begin: "Get the line",
    },
  },
  figures: {
    conversations: "Conversations",
    compared: (difference: number, weekday: string) =>
      difference === 0
        ? `As many as last ${weekday}`
        : `${Math.abs(difference).toLocaleString("en")} ${difference > 0 ? "more" : "fewer"} than last ${weekday}`,
    talking: "Talking time",
    minutes: "min",
    each: (length: string) => `${length} each`,
    answered: "Answered",
    of: (questions: string) => `of ${questions}`,
    missing: "Could not answer",
    teach: "Teach",
    firstPicture: "First picture after",
    seconds: "s",
    half: "Half are faster",
  },
  chart: {
    title: "Conversations a day",
    last: (days: number) => `Last ${days} days`,
    answered: "All answered",
    missing: "Something missing",
    name: (days: number, today: number) => `Conversations a day in the last ${days} days: ${today} today.`,
    day: (day: string, count: number, missing: number) =>
      `${day}: ${many(count, "conversation", "conversations")}, ${missing} with something missing`,
    asTable: "The figures as a table",
    columns: {
      day: "Day",
      conversations: "Conversations",
      missing: "With something missing",
      questions: "Questions",
      unanswered: "Without an answer",
      talking: "Talking time",
    },
  },
  limits: {
    title: "Limits",
    change: "Change",
    kinds: {
      talking_day: "Talking time today",
      lines: "At the same time",
      model_day: "Language model today",
      talking_month: "Talking time this month",
    },
    units: {
      minutes: {
        of: (used: string, limit: string) => `${used} of ${limit} min`,
        open: (used: string) => `${used} min, no limit`,
      },
      lines: {
        of: (used: string, limit: string) => `${used} of ${limit} lines`,
        open: (used: string) => `${used} lines, no limit`,
      },
      money: {
        of: (used: string, limit: string) => `${used} of ${limit}`,
        open: (used: string) => `${used}, no limit`,
      },
      tokens: {
        of: (used: string, limit: string) => `${used} of ${limit} tokens`,
        open: (used: string) => `${used} tokens, no limit`,
      },
    },
    note: (place: string) =>
      `When a limit is reached, visitors can still type. Days begin at midnight, ${place} time.`,
    none: "No limit is set.",
  },
  missing: {
    title: "Could not answer",
    all: (count: number) => (count === 0 ? "All questions" : `All ${count.toLocaleString("en")}`),
    asked: (times: number, last: string) => `${many(times, "time", "times")}, last ${last}`,
    teach: "Teach",
    none: "Nothing missing.",
  },
  latest: {
    title: "Just now",
    all: "All conversations",
    none: "No conversations yet.",
    answered: "answered",
    missing: (count: number) => `${count} missing`,
    questions: (count: number) => (count === 0 ? "No questions" : many(count, "question", "questions")),
  },
};
