import { compare, featureNames, type FeatureName, type Features } from "./features.ts";
import type { Question } from "./question.ts";
import { rarity, type IndexedUnit, type UnitIndex } from "./unit-index.ts";

/** A unit that may answer a question. */
export interface RankedUnit {
  readonly unit: IndexedUnit;
  readonly features: Features;
  /** The weighted sum of its features. */
  readonly score: number;
}

/** Of more units, only those that share a word or a concept with the question are compared with it. */
const comparedUnits = 250;

export type Weights = Readonly<Record<FeatureName, number>>;

function candidates(
  { stems, concepts, before }: Question,
  { units, frequency, conceptFrequency, lookup }: UnitIndex,
): readonly IndexedUnit[] {
  if (units.length <= comparedUnits) return units;
  const points = new Float64Array(units.length);
  const give = (ids: Iterable<number>, more: number): void => {
    for (const id of ids) points[id] = (points[id] ?? 0) + more;
  };
  give(before?.quoted ?? [], 1);
  for (const stem of [...stems.keys(), ...(before?.stems.keys() ?? [])])
    give(lookup.stems.get(stem) ?? [], rarity(units.length, frequency.get(stem)));
  for (const name of concepts.keys())
    give(lookup.concepts.get(name) ?? [], 0.5 * rarity(units.length, conceptFrequency.get(name)));
  const least =
    points
      .filter((sum) => sum > 0)
      .sort()
      .at(-comparedUnits) ?? 0;
  const more: number[] = [];
  const asMany: number[] = [];
  for (const [id, sum] of points.entries())
    if (sum > least) more.push(id);
    else if (sum === least && least > 0 && asMany.length < comparedUnits) asMany.push(id);
  more.sort((one, other) => (points[other] ?? 0) - (points[one] ?? 0));
  return [...more, ...asMany].slice(0, comparedUnits).flatMap((id) => units[id] ?? []);
}

/** The units that may answer a question, best first. */
export function rankUnits(question: Question, index: UnitIndex, weights: Weights): RankedUnit[] {
  const units = candidates(question, index);
  return compare(question, index, units)
    .flatMap((features, at) => {
      const unit = units[at];
      return unit ? [{ unit, features, score: weightedSum(features, weights) }] : [];
    })
    .sort((one, other) => other.score - one.score);
}

export function weightedSum(features: Features, weights: Weights): number {
  return featureNames.reduce((sum, name) => sum + features[name] * weights[name], 0);
}
