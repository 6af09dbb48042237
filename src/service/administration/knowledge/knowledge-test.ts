import type { KnowledgeAnswer } from "../../../protocol/console/knowledge.ts";
import { answeringCoverage, quotedAnswer } from "../../language/engines/retrieval/quoted-answer.ts";
import { documentsMaxCharacters } from "../../language/engines/retrieval/retrieval-responder.ts";
import { documentsInPart, keepDocumentIndexes } from "../../language/passages/document-passages.ts";
import { indexPassages } from "../../language/passages/passage-index.ts";
import type { FoundPassage } from "../../language/passages/passage-index.ts";
import { readQuestion } from "../../language/passages/question.ts";
import { readDocument } from "../../sessions/documents.ts";
import type { FileStore, Store } from "../../store/store.ts";
import { namedContext } from "../contexts/contexts.ts";

/** The dependencies of a knowledge test. */
export interface KnowledgeTestParts {
  store: Pick<Store, "contexts" | "catalogue">;
  files: FileStore;
}

/** A question to an avatar, or to some documents; without either, to all documents of the organization. */
export interface KnowledgeQuestion {
  question: string;
  context?: string | undefined;
  documents?: readonly string[] | undefined;
}

/** How many passages are shown. */
const shownPassages = 6;
/** Below this share of the question's terms, a passage has nothing to do with it. */
const shownCoverage = 0.2;

const indexOf = keepDocumentIndexes();

interface Known {
  instructions: string;
  documents: { id: string; title: string; text: string }[];
}

async function knownTo(
  { store, files }: KnowledgeTestParts,
  organizationId: string,
  { context: contextUuid, documents: asked }: KnowledgeQuestion,
): Promise<Known> {
  const context = contextUuid === undefined ? null : await namedContext(store, organizationId, contextUuid);
  const { document: documentId, documents = [] } = context?.embed_config ?? {};
  const own = context ? [...(documentId === undefined ? [] : [documentId]), ...documents] : null;
  const named = asked ?? own ?? (await store.catalogue.rows("document", organizationId)).map(({ id }) => id);
  const found: Known["documents"] = [];
  for (const identifier of new Set(named)) {
    const row = await store.catalogue.row("document", organizationId, identifier);
    const read = row && (await readDocument({ store, files }, organizationId, row.id));
    if (row && read) found.push({ id: row.id, title: row.body.title, text: read.text });
  }
  return { instructions: context?.instructions ?? "", documents: found };
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
  const known = await knownTo(parts, organizationId, asked);
  const messages = [{ role: "user" as const, content: asked.question }];
  const question = readQuestion(messages);
  if (question === null) return { answer: null, passages: [] };
  const texts = known.documents.map(({ text }) => text);
  const documents = await documentsInPart({ documents: texts, messages }, indexOf, documentsMaxCharacters);
  const found = indexPassages({ instructions: known.instructions, documents }).find(question);
  const answer = quotedAnswer(found);
  const used = new Set(answer?.quoted ?? []);
  const shown = [...used, ...found.filter((one) => !used.has(one) && one.coverage >= shownCoverage)];
  const documentOf = ({ document: place }: FoundPassage) => {
    const of = place === null ? undefined : known.documents[place];
    return of ? { id: of.id, title: of.title } : null;
  };
  return {
    answer: answer?.sentences.join(" ") ?? null,
    passages: shown.slice(0, shownPassages).map((passage) => ({
      document: documentOf(passage),
      heading: passage.heading,
      text: passage.text,
      fit: passage.coverage >= answeringCoverage ? "well" : "little",
      used: used.has(passage),
    })),
  };
}
