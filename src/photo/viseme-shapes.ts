import type { Viseme } from "../puppet/index.ts";

/**
 * One mouth shape in millimetres: the drop of the jaw, upper lip up, lower lip down, corners out, and how much of the opening is round:
 * at most the first three together. `pucker`, `press`, `rollLower` and the tongue's height and reach are shares.
 */
export interface VisemeShape {
  readonly jaw?: number;
  readonly upperLip?: number;
  readonly lowerLip?: number;
  readonly wide?: number;
  readonly pucker?: number;
  readonly press?: number;
  readonly rollLower?: number;
  readonly round?: number;
  readonly tongue?: number;
  readonly tongueForward?: number;
}

/** What each viseme does with the mouth. `sil` is the photograph itself. */
export const visemeShapes: Readonly<Record<Viseme, VisemeShape>> = {
  sil: {},
  PP: { press: 0.75, wide: -0.6 },
  FF: { jaw: 1.2, upperLip: 1.6, lowerLip: -0.6, rollLower: 1 },
  TH: { jaw: 4.4, upperLip: 1.1, lowerLip: 0.8, tongue: 1.05, tongueForward: 1 },
  DD: { jaw: 3, upperLip: 0.9, lowerLip: 0.4, wide: 0.4, tongue: 0.8 },
  kk: { jaw: 4.2, upperLip: 0.6, lowerLip: 0.4, tongue: 0.15 },
  CH: { jaw: 1.6, upperLip: 1.1, lowerLip: 1.1, pucker: 0.5, round: 2.4 },
  SS: { jaw: 1.2, upperLip: 1.1, lowerLip: 1.2, wide: 1.6 },
  nn: { jaw: 2.6, upperLip: 0.7, lowerLip: 0.3, wide: 0.3, tongue: 0.85 },
  RR: { jaw: 2.4, upperLip: 0.9, lowerLip: 0.6, pucker: 0.4, round: 2.2, tongue: 0.3 },
  aa: { jaw: 9.5, upperLip: 1.2, lowerLip: 0.6, wide: -0.4, tongue: -0.1 },
  E: { jaw: 5.4, upperLip: 1.3, lowerLip: 0.8, wide: 1.8 },
  ih: { jaw: 3.4, upperLip: 1.1, lowerLip: 0.7, wide: 2 },
  oh: { jaw: 6.8, upperLip: 0.9, lowerLip: 0.6, pucker: 0.66, wide: -0.8, round: 8.1 },
  ou: { jaw: 2.8, upperLip: 0.6, lowerLip: 0.6, pucker: 1.05, wide: -1, round: 3.9 },
};
