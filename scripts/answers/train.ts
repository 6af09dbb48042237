import { composeAnswer } from "../../src/service/knowledge/answering/compose-answer.ts";
import type { Calibration, Calibrations } from "../../src/service/knowledge/matching/calibration.ts";
import {
  certaintyOf,
  readSigns,
  signNames,
  type Certainty,
  type Signs,
} from "../../src/service/knowledge/matching/confidence.ts";
import { featureNames, type FeatureName } from "../../src/service/knowledge/matching/features.ts";
import { weightedSum, type RankedUnit, type Weights } from "../../src/service/knowledge/matching/ranking.ts";
import type { Unit } from "../../src/service/knowledge/reading/unit.ts";
import { meets, type Asked } from "./asked.ts";

/*
 * Trains what the built-in answerer knows of how texts answer questions: how much each feature of a unit counts, and how sure it may
 * be of the best one.
 */

const rankSteps = 150;
const certaintySteps = 300;
/** Keeps the weights small: the samples are few. */
const certaintyDecay = 0.03;

const fromNames = <Name extends string>(names: readonly Name[], value: (name: Name) => number) =>
  Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, number>;

export function reranked({ ranked }: Asked, weights: Weights): RankedUnit[] {
  return ranked
    .map((one) => ({ ...one, score: weightedSum(one.features, weights) }))
    .sort((one, other) => other.score - one.score);
}

/** What is trained on of a question: the features of its units, one row each, and which of them answer. */
interface Rows {
  features: Float64Array;
  answers: readonly boolean[];
}

const kept = new WeakMap<Asked, Rows>();

function rowsOf(asked: Asked): Rows {
  const known = kept.get(asked);
  if (known) return known;
  const made = {
    features: Float64Array.from(
      asked.ranked.flatMap(({ features }) => featureNames.map((name) => features[name])),
    ),
    answers: asked.ranked.map(({ unit }) => asked.answering.has(unit.id)),
  };
  kept.set(asked, made);
  return made;
}

/** Adds to a slope what brings the units that answer a question further to the front. */
function addSlope(slope: Float64Array, { features, answers }: Rows, weights: Float64Array): void {
  const width = weights.length;
  const scores = answers.map((_, row) => {
    let sum = 0;
    for (let at = 0; at < width; at += 1) sum += features[row * width + at]! * weights[at]!;
    return sum;
  });
  const most = Math.max(...scores);
  const powers = scores.map((score) => Math.exp(score - most));
  const total = powers.reduce((sum, power) => sum + power, 0);
  const right = powers.reduce((sum, power, row) => sum + (answers[row] ? power : 0), 0);
  for (const [row, power] of powers.entries()) {
    const pull = (answers[row] ? power / right : 0) - power / total;
    for (let at = 0; at < width; at += 1) slope[at]! += pull * features[row * width + at]!;
  }
}

/** The weights with which the units that answer come first: a softmax over the units of each question. */
export function trainWeights(items: readonly Asked[]): Weights {
  const weights = Float64Array.from(featureNames, (name) => (["words", "concepts"].includes(name) ? 1 : 0));
  const speed = new Float64Array(featureNames.length);
  const usable = items.filter(({ answering }) => answering.size > 0).map(rowsOf);
  for (let step = 0; step < rankSteps; step += 1) {
    const slope = new Float64Array(featureNames.length);
    for (const rows of usable) addSlope(slope, rows, weights);
    for (let at = 0; at < weights.length; at += 1) {
      const faster = 0.9 * speed[at]! + slope[at]! / usable.length - 0.002 * weights[at]!;
      speed[at] = faster;
      weights[at]! += 0.35 * faster;
    }
  }
  return fromNames<FeatureName>(featureNames, (name) => weights[featureNames.indexOf(name)]!);
}

function withoutKeys(
  frequency: ReadonlyMap<string, number>,
  gone: readonly Iterable<string>[],
): Map<string, number> {
  const left = new Map(frequency);
  for (const keys of gone)
    for (const key of new Set(keys)) {
      const count = (left.get(key) ?? 0) - 1;
      if (count > 0) left.set(key, count);
      else left.delete(key);
    }
  return left;
}

/** A question to texts that do not have the blocks that answer it: then nothing must be said. */
function withoutAnswer({ answering, index }: Asked, ranked: readonly RankedUnit[]) {
  const blockOf = ({ document, block }: Unit) => `${document}.${block}`;
  const blocks = new Set(
    ranked.filter(({ unit }) => answering.has(unit.id)).map(({ unit }) => blockOf(unit)),
  );
  const gone = index.units.filter((unit) => blocks.has(blockOf(unit)));
  const stems = gone.map((unit) => [...unit.stems, ...unit.headingStems, ...unit.askedStems]);
  const concepts = gone.map((unit) => [...unit.concepts.keys(), ...unit.headingConcepts.keys()]);
  return {
    ranked: ranked.filter(({ unit }) => !blocks.has(blockOf(unit))),
    index: {
      ...index,
      frequency: withoutKeys(index.frequency, stems),
      conceptFrequency: withoutKeys(index.conceptFrequency, concepts),
    },
  };
}

export interface Sample {
  signs: Signs;
  isRight: boolean;
  isReal: boolean;
}

export function samplesOf(items: readonly Asked[], weights: Weights): Sample[] {
  const samples: Sample[] = [];
  for (const item of items) {
    const ranked = reranked(item, weights);
    const signs = readSigns(item.question, ranked, item.index);
    if (!signs) continue;
    const said = composeAnswer(item.question, ranked, item.index).texts.join(" ");
    samples.push({ signs, isRight: meets(item.expect, said), isReal: true });
    if (item.answering.size === 0) continue;
    const left = withoutAnswer(item, ranked);
    const other = readSigns(item.question, left.ranked, left.index);
    if (other) samples.push({ signs: other, isRight: false, isReal: false });
  }
  return samples;
}

export function trainCertainty(samples: readonly Sample[], decay = certaintyDecay): Certainty {
  const by = Object.fromEntries(
    signNames.map((name) => {
      const mean = samples.reduce((sum, { signs }) => sum + signs[name], 0) / samples.length;
      const variance =
        samples.reduce((sum, { signs }) => sum + (signs[name] - mean) ** 2, 0) / samples.length;
      return [name, { mean, deviation: Math.sqrt(variance), weight: 0 }];
    }),
  ) as Record<(typeof signNames)[number], { mean: number; deviation: number; weight: number }>;
  const certainty = { bias: 0, signs: by };
  for (let step = 0; step < certaintySteps; step += 1) {
    let bias = 0;
    const slope = fromNames(signNames, () => 0);
    for (const { signs, isRight } of samples) {
      const error = (isRight ? 1 : 0) - certaintyOf(signs, certainty);
      bias += error;
      for (const name of signNames)
        if (by[name].deviation > 1e-6)
          slope[name] += (error * (signs[name] - by[name].mean)) / by[name].deviation;
    }
    certainty.bias += (0.8 * bias) / samples.length;
    for (const name of signNames)
      by[name].weight += 0.8 * (slope[name] / samples.length - decay * by[name].weight);
  }
  return certainty;
}

/** The share of questions without an answer that stay below a threshold. */
export const refusedShares = { plain: 0.93, hedged: 0.72, offered: 0.04 };

export function thresholds(samples: readonly Sample[], certainty: Certainty): Calibration["thresholds"] {
  const negatives = samples
    .filter(({ isReal }) => !isReal)
    .map(({ signs }) => certaintyOf(signs, certainty))
    .sort((one, other) => one - other);
  const at = (share: number) => negatives[Math.floor(negatives.length * share)] ?? 0.5;
  return {
    plain: at(refusedShares.plain),
    hedged: at(refusedShares.hedged),
    offered: at(refusedShares.offered),
  };
}

/** Questions asked without an encoder, of all sites, and with one, of the sites in its language. */
export interface TrainingQuestions {
  words: readonly Asked[];
  meaning: readonly Asked[];
}

export const trainCalibrations = ({ words, meaning }: TrainingQuestions): Calibrations => ({
  words: trainCalibration(words),
  meaning: trainCalibration(meaning),
});

function trainCalibration(asked: readonly Asked[]): Calibration {
  // Thanks, greetings and the wish for a person are answered before any text is searched.
  const items = asked.filter(({ kind, expect }) => !expect.friendly && kind !== "handover");
  const weights = trainWeights(items);
  const samples = samplesOf(items, weights);
  const certainty = trainCertainty(samples);
  return { weights, certainty, thresholds: thresholds(samples, certainty) };
}
