import type { Signs } from "../matching/confidence.ts";
import type { Features } from "../matching/features.ts";
import type { Question } from "../matching/question.ts";
import type { RankedUnit } from "../matching/ranking.ts";
import type { IndexedUnit } from "../matching/unit-index.ts";

const maxChoices = 3;
const maxCharacters = 120;
const considered = 12;
/** Where less of a question is known to the texts, nothing of them is meant. */
const minShare = 0.2;
/** Any two texts have some letters in common. */
const commonParts = 0.15;

/** What a unit is called: the question that it answers, its row, or the heading above it. */
export function nameOf(unit: IndexedUnit): string | undefined {
  return unit.question ?? unit.row ?? unit.headings.at(-1);
}

/** How much of a question a unit has to do with. */
const knownShare = ({ meaning, concepts, before, parts }: Features): number =>
  Math.max(meaning, concepts, before, parts - commonParts);

/** From this cosine on, a sentence says in other words what was asked. */
export const sameMeaning = 0.45;

/** Up to three headings or questions that a visitor may mean, best first. */
export function choicesOf(
  { text }: Question,
  ranked: readonly RankedUnit[],
  { cosine, cosineAround }: Pick<Signs, "cosine" | "cosineAround">,
): string[] {
  const [best] = ranked;
  const isKnown = ranked.slice(0, maxChoices).some(({ features }) => knownShare(features) >= minShare);
  if (!isKnown && Math.max(cosine, cosineAround) < sameMeaning) return [];
  const names: string[] = [];
  for (const { unit } of ranked.slice(0, considered)) {
    const name = nameOf(unit);
    if (names.length === maxChoices) break;
    if (name === undefined || name.length > maxCharacters || name === text || names.includes(name)) continue;
    names.push(name);
  }
  // A document's title alone says nothing.
  return names.length === 1 && best?.unit.headings.length === 1 && names[0] === best.unit.headings[0]
    ? []
    : names;
}
