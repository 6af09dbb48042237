import type { ChatMessage } from "../../../protocol/answers/llm-request.ts";
import { calibrationFor } from "../matching/calibration.ts";
import { type Asking, readQuestion } from "../matching/question.ts";
import { rankUnits } from "../matching/ranking.ts";
import { calibrations } from "../matching/trained-calibration.ts";
import { blockOf, type IndexedUnit, type UnitIndex } from "../matching/unit-index.ts";

/** Of long paragraphs, a model gets the sentences around the one that matches. */
const maxUnits = 12;

/** A passage as a model reads it: where it stands, and its text. */
function passage(units: readonly IndexedUnit[]): string {
  const [first] = units;
  const path = first?.headings.join(" > ") ?? "";
  const question = first?.question ?? "";
  const isInPath = question === "" || first?.headings.includes(question);
  return [path, isInPath ? "" : question, units.map(({ text }) => text).join("\n")]
    .filter((line) => line !== "")
    .join("\n");
}

/** The passages that match the visitor's last message, best first, as many as fit into a number of characters. */
export function matchingPassages(
  messages: readonly ChatMessage[],
  index: UnitIndex,
  maxCharacters: number,
  asking: Omit<Asking, "language">,
): string[] {
  const question = readQuestion(messages, index, { ...asking, language: index.language });
  if (!question) return [];
  const passages: string[] = [];
  const taken = new Set<number>();
  let room = maxCharacters;
  for (const { unit, score } of rankUnits(question, index, calibrationFor(question, calibrations).weights)) {
    if (score <= 0) break;
    if (taken.has(unit.id)) continue;
    const block = blockOf(unit, index.units);
    const at = block.indexOf(unit);
    const around = block.slice(Math.max(0, at - maxUnits / 2), at + maxUnits / 2);
    const text = passage(around);
    if (text.length > room) break;
    for (const { id } of around) taken.add(id);
    passages.push(text);
    room -= text.length + 2;
  }
  return passages;
}
