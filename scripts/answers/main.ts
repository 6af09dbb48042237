import { readFileSync, writeFileSync } from "node:fs";
import { featureNames } from "../../src/service/knowledge/matching/features.ts";
import type { Weights } from "../../src/service/knowledge/matching/ranking.ts";
import { SentenceEncoder } from "../../src/service/knowledge/meaning/sentence-encoder.ts";
import { asBytes, type EncodeSentences, type Vector } from "../../src/service/knowledge/meaning/vectors.ts";
import { encoderFile } from "./build-encoder.ts";
import { askAll, readSites } from "./asked.ts";
import { crossValidate } from "./cross-validation.ts";
import { trainCalibrations } from "./train.ts";

/*
 * Trains the calibration of answers without a language model on a folder of sites with questions, each a JSON file: `name`, `language`,
 * `documents` (`title`, `text`) and `conversations` (`kind`, `turns` of `ask` and `expect`: `any`, `all`, `none`, `unanswered`).
 *
 *   npx tsx scripts/answers/main.ts FOLDER            what each site gets from a calibration trained on the others
 *   npx tsx scripts/answers/main.ts FOLDER --write    the same, and trains on all and writes trained-calibration.json
 */

const target = new URL("../../src/service/knowledge/matching/trained-calibration.json", import.meta.url);
/** Weights for the answers between questions, before any are trained. */
const start: Partial<Weights> = {
  words: 2,
  wordsInBlock: 2,
  concepts: 2,
  parts: 3,
  before: 3,
  day: 1,
  heading: 3,
};
const digits = 4;

const [folder, flag] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder of the sites.");
const weights = Object.fromEntries(featureNames.map((name) => [name, start[name] ?? 0])) as Weights;
const sites = readSites(folder);
const encoder = new SentenceEncoder(readFileSync(encoderFile));
const known = new Map<string, Vector>();
const vectorOf = (text: string): Vector => {
  const vector = known.get(text) ?? asBytes(encoder.encode(text));
  known.set(text, vector);
  return vector;
};
const encode: EncodeSentences = (texts) => Promise.resolve(texts.map(vectorOf));
const asked = {
  words: await askAll(sites, weights),
  meaning: (await askAll(sites, weights, encode)).filter(({ index }) => index.encode !== null),
};
await crossValidate(sites, asked);
if (flag === "--write") {
  const rounded = (_key: string, value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(digits)) : value;
  writeFileSync(target, `${JSON.stringify(trainCalibrations(asked), rounded, 2)}\n`);
}
