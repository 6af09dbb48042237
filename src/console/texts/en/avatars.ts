import { many } from "./count.ts";

/** Title and description of the templates, by their ids. Those of a newer server come in its own words. */
const templates: Readonly<Record<string, readonly [string, string]>> = {
  shop_assistant: ["Shop assistant", "Prices, sizes, delivery and returns, from your website."],
  reception: ["Reception", "Greets on a big screen and says where to go."],
  tutor: ["Tutor", "Explains your lessons step by step and asks back."],
  support: ["Support", "Answers from your help pages and says when a person is better."],
  blank: ["Start empty", "A face, a voice, and a blank sheet."],
};

/** The texts of the list of avatars, in English. */
export const avatars = {
  title: "Avatars",
  lead: "Each has a face, a voice, a mind and the pages it may appear on.",
  photo: "A face from a photograph",
  states: { live: "On your page", paused: "Paused", draft: "Draft" },
  pages: "Pages",
  noPages: "None yet",
  lastWeek: "Last 7 days",
  conversations: (count: number) =>
    count === 0 ? "No conversations" : many(count, "conversation", "conversations"),
  open: "Open",
  more: (name: string) => `More about ${name}`,
  pause: "Pause",
  resume: "Switch on",
  duplicate: "Duplicate",
  delete: "Delete",
  paused: (name: string) => `${name} is paused. Pages show nothing.`,
  resumed: (name: string) => `${name} is switched on.`,
  duplicated: (name: string) => `${name} is a copy. It is paused.`,
  deleted: (name: string) => `${name} was deleted.`,
  restored: (name: string) => `${name} is back.`,
  created: (name: string) => `${name} is there.`,
  new: "New avatar",
  templates,
  examples: (count: number) => `${many(count, "example", "examples")} of the demo page`,
  none: "No avatars yet",
  noneText: "Begin with a template: it has a face, a voice and sentences that you can change.",
  noneForViewer: "Nobody has made an avatar yet.",
};
