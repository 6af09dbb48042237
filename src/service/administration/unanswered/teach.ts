import type { UnitIndexes } from "../../knowledge/matching/unit-index.ts";
import { randomUUID } from "node:crypto";
import type { Taught, UnansweredGroup } from "../../../protocol/console/unanswered.ts";
import type { Clock } from "../../clock.ts";
import {
  addDocument,
  documentSettingsSchema,
  readDocument,
  removeDocument,
  replaceDocumentText,
} from "../../sessions/documents.ts";
import type { FileStore, SettledQuestion, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { changeEmbedConfig } from "../contexts/avatars.ts";
import { namedContext } from "../contexts/contexts.ts";
import { countedDetails, refusingDocuments } from "../knowledge/document-details.ts";
import { testKnowledge } from "../knowledge/knowledge-test.ts";
import { taughtBlock, withBlock, withoutBlock } from "./taught-block.ts";
import { namedGroup, settledView } from "./unanswered.ts";
import type { QuestionGroup } from "./unanswered.ts";

/** The dependencies of teaching. */
export interface TeachingParts {
  store: Pick<Store, "unanswered" | "contexts" | "catalogue" | "alone">;
  files: FileStore;
  clock: Clock;
  indexOf?: UnitIndexes | undefined;
}

/** Who settles a group, and which one. */
export interface Settling {
  organizationId: string;
  id: string;
  /** The name of the person who does it. */
  by: string;
}

/** The document of a context that has the taught answers; null: none yet. */
async function taughtDocument(
  { store }: TeachingParts,
  organizationId: string,
  contextUuid: string,
): Promise<{ id: string; title: string } | null> {
  const rows = await store.catalogue.rows("document", organizationId);
  const found = rows.find(({ engine, isShared }) => {
    const settings = documentSettingsSchema.safeParse(engine).data;
    return !isShared && settings?.source === "taught" && settings.context === contextUuid;
  });
  return found ? { id: found.id, title: found.body.title } : null;
}

/** Adds an answer to the context's document of taught answers; resolves with the document, which the context uses from now on. */
async function addBlock(
  parts: TeachingParts,
  { organizationId, by }: Settling,
  context: { id: string; name: string },
  block: string,
): Promise<{ id: string; title: string }> {
  const { store, clock } = parts;
  const details = { source: "taught" as const, context: context.id };
  const known = await taughtDocument(parts, organizationId, context.id);
  const text = withBlock((known && (await readDocument(parts, organizationId, known.id))?.text) ?? "", block);
  const counted = await countedDetails(text, details);
  const title = known?.title ?? `Answers you taught: ${context.name}`.slice(0, 200);
  if (known) await replaceDocumentText(parts, organizationId, known.id, { text, details: counted });
  const id = known?.id ?? (await addDocument(parts, { organizationId, title, text, details: counted }));
  const edit = { organizationId, id: context.id, by, nowMs: clock.nowMs() };
  await changeEmbedConfig(store, edit, (config) => {
    const documents = config.documents ?? [];
    return documents.includes(id) ? config : { ...config, documents: [...documents, id] };
  });
  return { id, title };
}

/** The questions of a group that have one of the wordings. */
function chosen({ view, questions }: QuestionGroup, wordings: readonly string[] | undefined) {
  if (wordings === undefined) return { texts: view.wordings.map(({ text }) => text), questions };
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const meant = new Set(wordings.map(plain));
  const own = questions.filter(({ text }) => meant.has(plain(text)));
  if (own.length === 0)
    throw new AdministrationError(
      "not_found",
      "None of these wordings is in the group. Load the list again.",
    );
  // The owner may have corrected a wording, so the given texts are the ones that are taught.
  return { texts: [...wordings], questions: own };
}

async function settle(
  { store, clock }: Pick<TeachingParts, "store" | "clock">,
  organizationId: string,
  view: Pick<UnansweredGroup, "context">,
  questions: QuestionGroup["questions"],
  fields: Pick<SettledQuestion, "state" | "question" | "answer" | "documentId" | "block">,
): Promise<SettledQuestion> {
  const settled = {
    ...fields,
    id: randomUUID(),
    organizationId,
    contextUuid: view.context,
    asked: questions.length,
    lastAskedAtMs: Math.max(...questions.map(({ atMs }) => atMs)),
    settledAtMs: clock.nowMs(),
  };
  await store.unanswered.settle(
    settled,
    questions.map(({ id }) => id),
  );
  return settled;
}

async function openGroup({ store }: TeachingParts, { organizationId, id }: Settling): Promise<QuestionGroup> {
  const group = await namedGroup(store, organizationId, id);
  if (group.view.state === "open") return group;
  throw new AdministrationError(
    "not_found",
    "Somebody has settled this question already. Load the list again.",
  );
}

/**
 * Teaches the answer to a group of questions: it goes into a document of the avatar. Resolves with whether the question finds it now.
 * Throws AdministrationError `not_found`, and `document_refused` where the document would become too long.
 */
export async function teachAnswer(
  parts: TeachingParts,
  settling: Settling,
  { answer, wordings }: { answer: string; wordings?: readonly string[] | undefined },
): Promise<Taught> {
  const { store } = parts;
  const { organizationId } = settling;
  return store.alone(`teach ${organizationId}`, async () => {
    const group = await openGroup(parts, settling);
    const { texts, questions } = chosen(group, wordings);
    const context = await namedContext(store, organizationId, group.view.context);
    const block = taughtBlock(texts, answer);
    const added = await refusingDocuments("answer", () => addBlock(parts, settling, context, block));
    const [question = group.view.question] = texts;
    const settled = await settle(parts, organizationId, group.view, questions, {
      state: "taught",
      question,
      answer,
      documentId: added.id,
      block,
    });
    const tried = await testKnowledge(parts, organizationId, { question, context: context.id });
    const found = tried.passages.some((passage) => passage.used && passage.document?.id === added.id);
    return { group: settledView(settled, questions), document: added, found };
  });
}

/** Hides a group of questions, and the same questions that come later. Throws AdministrationError `not_found`. */
export async function hideQuestions(parts: TeachingParts, settling: Settling): Promise<UnansweredGroup> {
  return parts.store.alone(`teach ${settling.organizationId}`, async () => {
    const { view, questions } = await openGroup(parts, settling);
    const settled = await settle(parts, settling.organizationId, view, questions, {
      state: "hidden",
      question: "",
      answer: null,
      documentId: null,
      block: null,
    });
    return settledView(settled, questions);
  });
}

/**
 * Undoes teaching or hiding. An answer that was changed in its document meanwhile stays there. Throws AdministrationError
 * `not_found`.
 */
export async function reopenQuestions(parts: TeachingParts, settling: Settling): Promise<void> {
  const { store } = parts;
  const { organizationId, id } = settling;
  await store.alone(`teach ${organizationId}`, async () => {
    const settled = await store.unanswered.settledById(organizationId, id);
    if (settled === null) throw new AdministrationError("not_found", "There is no such settled question.");
    const { documentId, block } = settled;
    const taught = documentId === null ? null : await readDocument(parts, organizationId, documentId);
    const text = taught && block !== null ? withoutBlock(taught.text, block) : null;
    if (taught && text !== null) await replaceOrEmpty(parts, settling, settled, taught.id, text);
    await store.unanswered.unsettle(organizationId, id);
  });
}

/** Keeps the rest of the text in the document; if nothing is left, removes the document. */
async function replaceOrEmpty(
  parts: TeachingParts,
  { organizationId, by }: Settling,
  { contextUuid }: SettledQuestion,
  documentId: string,
  text: string,
): Promise<void> {
  const { store, clock, files } = parts;
  const details = { source: "taught" as const, context: contextUuid };
  if (text !== "") {
    const counted = await countedDetails(text, details);
    await replaceDocumentText(parts, organizationId, documentId, { text, details: counted });
    return;
  }
  const edit = { organizationId, id: contextUuid, by, nowMs: clock.nowMs() };
  await changeEmbedConfig(store, edit, (config) => ({
    ...config,
    documents: (config.documents ?? []).filter((one) => one !== documentId),
  }));
  await removeDocument({ store, files }, organizationId, documentId);
}
