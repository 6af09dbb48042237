import { ratingTexts } from "./rating-texts.ts";

/** The texts of the transcript, by key. They are loaded with it. */
export const transcriptTexts = {
  ...ratingTexts,
  resume_answer: "Let {name} finish",
  copy_answer: "Copy this answer",
  copied_answer: "Copied",
  source_from: "From",
  source_opens: "Opens the page at the sentence",
  source_shows: "Shows the passage",
  table: "Table",
} as const;
