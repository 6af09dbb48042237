import type { KnowledgeAnswer } from "../../../protocol/console/knowledge.ts";
import { type Answer, answerQuestion, encodeMessages } from "../../knowledge/answering/answer-question.ts";
import {
  type IndexedUnit,
  keepUnitIndexes,
  type UnitIndex,
  type UnitIndexes,
} from "../../knowledge/matching/unit-index.ts";
import { dayTodayIn } from "../../knowledge/words/weekdays.ts";
import { readDocument, type StoredText } from "../../sessions/documents.ts";
import type { FileStore, Store } from "../../store/store.ts";
import { namedContext } from "../contexts/contexts.ts";

/** The dependencies of a knowledge test. */
export interface KnowledgeTestParts {
  store: Pick<Store, "contexts" | "catalogue">;
  files: FileStore;
  /** The indexes of documents. Default: by their words alone. */
  indexOf?: UnitIndexes | undefined;
}

/** A question to an avatar, or to some documents; without either, to all documents of the organization. */
export interface KnowledgeQuestion {
  question: string;
  context?: string | undefined;
  documents?: readonly string[] | undefined;
}

/** How many passages are shown. */
const shownPassages = 6;
/** Below this share of the question's words, a passage has nothing to do with it. */
const shownWords = 0.2;

const byWords = keepUnitIndexes();

/** The documents that the organization has made: none of those that every organization has. */
async function ownDocuments(store: Pick<Store, "catalogue">, organizationId: string): Promise<string[]> {
  const rows = await store.catalogue.rows("document", organizationId);
  return rows.filter(({ isShared }) => !isShared).map(({ id }) => id);
}

/** The documents that a question is answered from. */
export async function knownTo(
  { store, files }: Pick<KnowledgeTestParts, "store" | "files">,
  organizationId: string,
  { context: contextUuid, documents: asked }: Omit<KnowledgeQuestion, "question">,
): Promise<{ documents: StoredText[]; avatarName: string | undefined; timeZone: string | undefined }> {
  const context = contextUuid === undefined ? null : await namedContext(store, organizationId, contextUuid);
  const { document: documentId, documents = [], ui, time_zone } = context?.config ?? {};
  const own = context ? [...(documentId === undefined ? [] : [documentId]), ...documents] : null;
  const named = asked ?? own ?? (await ownDocuments(store, organizationId));
  const found: StoredText[] = [];
  for (const identifier of new Set(named)) {
    const read = await readDocument({ store, files }, organizationId, identifier);
    if (read) found.push(read);
  }
  return { documents: found, avatarName: ui?.avatar_name, timeZone: time_zone };
}

/** The units to show: those that are quoted, then those that come near. */
function shownUnits({ quoted, near }: Answer): IndexedUnit[] {
  const nearby = near.filter(({ features }) => features.words >= shownWords).map(({ unit }) => unit);
  return [...new Map([...quoted, ...nearby].map((unit) => [unit.id, unit])).values()].slice(0, shownPassages);
}

/** The documents that questions are answered from, with their index, and what an avatar without a language model answers. */
export async function openKnowledge(
  parts: KnowledgeTestParts,
  organizationId: string,
  scope: Omit<KnowledgeQuestion, "question">,
): Promise<{ documents: StoredText[]; index: UnitIndex; ask: (question: string) => Promise<Answer> }> {
  const { documents, avatarName, timeZone } = await knownTo(parts, organizationId, scope);
  const index = await (parts.indexOf ?? byWords)(documents);
  const ask = async (content: string): Promise<Answer> => {
    const messages = [{ role: "user" as const, content }];
    const vectors = await encodeMessages(messages, index);
    return answerQuestion(messages, index, { dayToday: dayTodayIn(timeZone), avatarName, vectors });
  };
  return { documents, index, ask };
}

/**
 * Which passages answer a question, found in the same way as by an avatar without a language model. Throws AdministrationError
 * `not_found`.
 */
export async function testKnowledge(
  parts: KnowledgeTestParts,
  organizationId: string,
  asked: KnowledgeQuestion,
): Promise<KnowledgeAnswer> {
  const { documents, ask } = await openKnowledge(parts, organizationId, asked);
  const answer = await ask(asked.question);
  const used = new Set(answer.quoted.map(({ id }) => id));
  return {
    answer: answer.certainty === "unknown" ? null : answer.sentences.join(" "),
    passages: shownUnits(answer).map((unit) => {
      const { id, title } = documents[unit.document] ?? { id: "", title: "" };
      return {
        document: { id, title },
        heading: unit.question ?? unit.headings.at(-1) ?? "",
        text: unit.text,
        fit: used.has(unit.id) && answer.certainty === "sure" ? "well" : "little",
        used: used.has(unit.id),
      };
    }),
  };
}
