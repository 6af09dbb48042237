import type { CheckedSuggestions } from "../../../protocol/console/knowledge.ts";
import type { IndexedUnit, UnitIndex } from "../../knowledge/matching/unit-index.ts";
import { type KnowledgeTestParts, openKnowledge } from "./knowledge-test.ts";

/** An avatar's suggestions, and the documents that it answers from. */
export interface SuggestionsQuestion {
  context: string;
  documents: readonly string[];
  texts: readonly string[];
}

const shown = 6;
/** Longer ones do not fit on a button. */
const maxCharacters = 60;
/** How many headings and questions are tried, from all of the documents. */
const tried = 24;

/** Up to so many of the entries, from everywhere among them. */
function spread<Entry>(entries: readonly Entry[], count: number): Entry[] {
  const step = Math.max(1, entries.length / count);
  const group = (place: number) => Math.floor(place / step);
  return entries.filter((_, place) => group(place) !== group(place - 1));
}

/** The questions of the documents, and the headings of their sections; a document's title alone says nothing. */
function namesIn({ units }: UnitIndex): string[] {
  const nameOf = ({ question, headings }: IndexedUnit) =>
    question ?? (headings.length > 1 ? headings.at(-1) : null);
  const names = units.map((unit) => nameOf(unit)?.trim() ?? "");
  return [...new Set(names)].filter((name) => name !== "" && name.length <= maxCharacters);
}

/**
 * Which suggestions an avatar's documents answer, as an avatar without a language model would, and which others they could answer.
 * Throws AdministrationError `not_found`.
 */
export async function checkSuggestions(
  parts: KnowledgeTestParts,
  organizationId: string,
  { context, documents, texts }: SuggestionsQuestion,
): Promise<CheckedSuggestions> {
  const { index, ask } = await openKnowledge(parts, organizationId, { context, documents });
  const isAnswered = async (text: string): Promise<boolean> =>
    ["sure", "likely"].includes((await ask(text)).certainty);
  const unanswered: string[] = [];
  for (const text of texts) if (!(await isAnswered(text))) unanswered.push(text);
  const has = new Set(texts.map((text) => text.toLowerCase()));
  const found: string[] = [];
  const others = namesIn(index).filter((name) => !has.has(name.toLowerCase()));
  for (const name of spread(others, tried)) if (await isAnswered(name)) found.push(name);
  return { unanswered, found: spread(found, shown) };
}
