import { ratingTexts } from "./rating-texts.ts";

/** The texts of the transcript, by key. They are loaded with it. */
export const transcriptTexts = {
  ...ratingTexts,
  resume_answer: "Let {name} finish",
  copy_answer: "Copy this answer",
  copied_answer: "Copied",
  table: "Table",
} as const;
