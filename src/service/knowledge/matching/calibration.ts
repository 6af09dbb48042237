import type { Certainty } from "./confidence.ts";
import type { Question } from "./question.ts";
import type { Weights } from "./ranking.ts";

/** What was learned from sites with questions and their answers (`scripts/answers/`): stored as data, the same for every site. */
export interface Calibration {
  /** How much each feature of a unit counts. */
  readonly weights: Weights;
  readonly certainty: Certainty;
  /** From which certainty on an answer is given, given with a reservation, or offered as a choice. */
  readonly thresholds: { readonly plain: number; readonly hedged: number; readonly offered: number };
}

/** What was learned with an encoder of the language, and without one. */
export interface Calibrations {
  readonly meaning: Calibration;
  readonly words: Calibration;
}

/** The one for a question. */
export const calibrationFor = (
  { vector }: Pick<Question, "vector">,
  { meaning, words }: Calibrations,
): Calibration => (vector ? meaning : words);
