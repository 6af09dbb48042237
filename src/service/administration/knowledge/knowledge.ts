import type { Logger } from "../../../logging/logger.ts";
import { errorMessage } from "../../faults/error-message.ts";
import type { UnitIndexes } from "../../knowledge/matching/unit-index.ts";
import type { Knowledge, KnowledgeDetail } from "../../../protocol/console/knowledge.ts";
import type { Clock } from "../../clock.ts";
import {
  addDocument,
  documentSettingsSchema,
  readDocument,
  replaceDocumentText,
  type DocumentDetails,
} from "../../sessions/documents.ts";
import type { ContextRecord, FileStore, KeptRow, Store } from "../../store/store.ts";
import { AdministrationError } from "../administration-error.ts";
import { changeEmbedConfig } from "../contexts/avatars.ts";
import { namedContext } from "../contexts/contexts.ts";
import { countBlocks } from "../unanswered/taught-block.ts";
import { knownTo } from "./knowledge-test.ts";
import { countedDetails, refusingDocuments } from "./document-details.ts";

/** The dependencies of the operations on documents. */
export interface KnowledgeParts {
  store: Pick<Store, "catalogue" | "contexts" | "deletedDocuments" | "alone">;
  files: FileStore;
  clock: Clock;
  indexOf?: UnitIndexes | undefined;
  log: Pick<Logger, "warn">;
}

/** Who changes documents, and of which organization. */
export interface KnowledgeEdit {
  organizationId: string;
  /** The name of the person who does it. */
  by: string;
}

type Row = KeptRow<"document">;

/** The documents that an avatar answers from, by id or title. */
const namesOf = ({ config: { document: first, documents = [] } }: ContextRecord): string[] =>
  first === undefined ? documents : [first, ...documents];

const usersOf = (contexts: readonly ContextRecord[], { id, name }: Pick<Row, "id" | "name">) =>
  contexts.filter((context) => namesOf(context).some((one) => one === id || one === name));

/**
 * Indexes what the avatars with a changed document answer from, so that the next question does not wait. Nobody waits for it. One avatar
 * after the other: a single thread reads for all of them.
 */
export async function indexUsers(
  parts: Pick<KnowledgeParts, "store" | "files" | "indexOf" | "log">,
  organizationId: string,
  id: string,
): Promise<void> {
  const { store, indexOf, log } = parts;
  if (!indexOf) return;
  try {
    const row = await store.catalogue.row("document", organizationId, id);
    const contexts = row === null ? [] : usersOf(await store.contexts.list(organizationId), row);
    for (const context of contexts)
      await indexOf((await knownTo(parts, organizationId, { context: context.id })).documents);
  } catch (error) {
    log.warn("a changed document was not indexed ahead", { error: errorMessage(error) });
  }
}

async function countsOf(
  parts: KnowledgeParts,
  organizationId: string,
  row: Row,
  details: DocumentDetails,
): Promise<{ passages: number; characters: number; answers: number | null }> {
  const { passages, characters, source } = details;
  if (passages !== undefined && characters !== undefined && source !== "taught")
    return { passages, characters, answers: null };
  // Documents that the commands added are not counted yet.
  const text = (await readDocument(parts, organizationId, row.id))?.text ?? "";
  const counted = await countedDetails(text, details);
  return {
    passages: counted.passages ?? 0,
    characters: text.length,
    answers: source === "taught" ? countBlocks(text) : null,
  };
}

async function knowledgeView(
  parts: KnowledgeParts,
  organizationId: string,
  row: Row,
  contexts: readonly ContextRecord[],
): Promise<Knowledge> {
  const settings = documentSettingsSchema.safeParse(row.engine).data;
  const { file: _file, text: _text, ...details } = settings ?? {};
  const problem = details.problem ?? (settings ? null : "It has no text.");
  return {
    id: row.id,
    title: row.body.title,
    source: details.source ?? "text",
    state: problem === null ? "ready" : "failed",
    problem,
    ...(await countsOf(parts, organizationId, row, details)),
    used_by: usersOf(contexts, row).map(({ id, name }) => ({ id, name })),
    is_shared: row.isShared,
    created_at: row.body.created_at,
    updated_at: row.body.updated_at,
  };
}

/** The documents of an organization, in the order in which they were added. */
export async function listKnowledge(parts: KnowledgeParts, organizationId: string): Promise<Knowledge[]> {
  const contexts = await parts.store.contexts.list(organizationId);
  const views: Knowledge[] = [];
  for (const row of await parts.store.catalogue.rows("document", organizationId))
    views.push(await knowledgeView(parts, organizationId, row, contexts));
  return views;
}

async function namedRow({ store }: KnowledgeParts, organizationId: string, id: string): Promise<Row> {
  const row = await store.catalogue.row("document", organizationId, id);
  if (row === null) throw new AdministrationError("not_found", `There is no document "${id}".`);
  return row;
}

/** A document that the organization may change. Throws AdministrationError `not_found` and `shared_entry`. */
async function ownRow(parts: KnowledgeParts, organizationId: string, id: string): Promise<Row> {
  const row = await namedRow(parts, organizationId, id);
  if (row.isShared)
    throw new AdministrationError(
      "shared_entry",
      "All organizations share this document; only a shell command can change it.",
    );
  return row;
}

/** A document with its whole text. Throws AdministrationError `not_found`. */
export async function knowledgeDetail(
  parts: KnowledgeParts,
  organizationId: string,
  id: string,
): Promise<KnowledgeDetail> {
  const row = await namedRow(parts, organizationId, id);
  const contexts = await parts.store.contexts.list(organizationId);
  const text = (await readDocument(parts, organizationId, row.id))?.text ?? "";
  return { ...(await knowledgeView(parts, organizationId, row, contexts)), text };
}

/** Lets exactly these contexts answer from a document. */
async function useIn(
  { store, clock }: KnowledgeParts,
  { organizationId, by }: KnowledgeEdit,
  { id, name }: Pick<Row, "id" | "name">,
  wanted: readonly string[],
): Promise<void> {
  const ids = new Set<string>();
  for (const identifier of wanted) ids.add((await namedContext(store, organizationId, identifier)).id);
  const nowMs = clock.nowMs();
  for (const context of await store.contexts.list(organizationId)) {
    const isUsed = usersOf([context], { id, name }).length > 0;
    if (isUsed === ids.has(context.id)) continue;
    await changeEmbedConfig(store, { organizationId, id: context.id, by, nowMs }, (config) => {
      const { document: first, ...rest } = config;
      const others = (config.documents ?? []).filter((one) => one !== id && one !== name);
      if (!isUsed) return { ...config, documents: [...others, id] };
      const isFirst = first === id || first === name;
      return { ...(isFirst ? rest : config), documents: others };
    });
  }
}

/** Adds a document. Throws AdministrationError `not_found` and `document_refused`. */
export async function createKnowledge(
  parts: KnowledgeParts,
  edit: KnowledgeEdit,
  {
    id: wantedId,
    title,
    text,
    contexts,
    details,
  }: {
    /** Default: a new one. */
    id?: string;
    title: string;
    text: string;
    contexts?: readonly string[] | undefined;
    details: DocumentDetails;
  },
): Promise<Knowledge> {
  const { organizationId } = edit;
  for (const context of contexts ?? []) await namedContext(parts.store, organizationId, context);
  const counted = await countedDetails(text, details);
  const id = await refusingDocuments("text", () =>
    addDocument(parts, { id: wantedId, organizationId, title, text, details: counted }),
  );
  if (contexts && contexts.length > 0) await useIn(parts, edit, { id, name: title }, contexts);
  const row = await namedRow(parts, organizationId, id);
  void indexUsers(parts, organizationId, id);
  return knowledgeView(parts, organizationId, row, await parts.store.contexts.list(organizationId));
}

/** A change of a document; undefined fields stay as they are. */
export interface KnowledgeChange {
  title: string;
  text?: string | undefined;
  contexts?: readonly string[] | undefined;
  /** The `updated_at` of the document that was edited; undefined: it is not checked. */
  basedOn?: string | undefined;
}

/** Somebody else has changed a document meanwhile. */
export class KnowledgeConflict extends Error {
  override readonly name = "KnowledgeConflict";
  readonly current: KnowledgeDetail;

  constructor(current: KnowledgeDetail) {
    super("Somebody else saved this document meanwhile; look at their changes, then save again.");
    this.current = current;
  }
}

/**
 * Changes a document. Throws AdministrationError `not_found`, `shared_entry` and `document_refused`, and KnowledgeConflict.
 */
export async function changeKnowledge(
  parts: KnowledgeParts,
  edit: KnowledgeEdit,
  id: string,
  { title, text, contexts, basedOn }: KnowledgeChange,
): Promise<Knowledge> {
  const { organizationId } = edit;
  const row = await ownRow(parts, organizationId, id);
  if (text !== undefined && documentSettingsSchema.safeParse(row.engine).data?.source === "website")
    throw new AdministrationError(
      "document_refused",
      "The text comes from the website. Change it there, then read the website again.",
      { field: "text" },
    );
  if (title !== row.body.title || text !== undefined)
    await parts.store.alone(`document ${row.id}`, async () => {
      const { body, engine } = await ownRow(parts, organizationId, row.id);
      if (basedOn !== undefined && body.updated_at !== basedOn)
        throw new KnowledgeConflict(await knowledgeDetail(parts, organizationId, row.id));
      const { file: _file, text: _text, ...details } = documentSettingsSchema.safeParse(engine).data ?? {};
      const next = text ?? (await readDocument(parts, organizationId, row.id))?.text ?? "";
      const changed = { text: next, title, details: await countedDetails(next, details) };
      await refusingDocuments("text", () => replaceDocumentText(parts, organizationId, row.id, changed));
    });
  const renamed = await namedRow(parts, organizationId, row.id);
  if (contexts !== undefined) await useIn(parts, edit, row, contexts);
  void indexUsers(parts, organizationId, row.id);
  return knowledgeView(parts, organizationId, renamed, await parts.store.contexts.list(organizationId));
}

/** Deletes a document; for 30 s it can be restored. Throws AdministrationError `not_found` and `shared_entry`. */
export async function removeKnowledge(parts: KnowledgeParts, edit: KnowledgeEdit, id: string): Promise<void> {
  const { store, clock } = parts;
  const { organizationId } = edit;
  const row = await ownRow(parts, organizationId, id);
  const contexts = usersOf(await store.contexts.list(organizationId), row).map((context) => context.id);
  await useIn(parts, edit, row, []);
  const { body, engine } = row;
  await store.deletedDocuments.put({
    id: row.id,
    organizationId,
    body,
    engine,
    contexts,
    deletedAtMs: clock.nowMs(),
  });
  await store.catalogue.remove("document", organizationId, row.id);
}

/** Undoes a deletion. Throws AdministrationError `not_found`, also when it is too late. */
export async function restoreKnowledge(
  parts: KnowledgeParts,
  edit: KnowledgeEdit,
  id: string,
): Promise<Knowledge> {
  const { store, clock } = parts;
  const { organizationId } = edit;
  const deleted = await store.deletedDocuments.take(organizationId, id);
  if (deleted === null) throw new AdministrationError("not_found", `There is no deleted document "${id}".`);
  const { body, engine } = deleted;
  const entry = {
    kind: "document" as const,
    id,
    name: body.title,
    organizationId,
    createdAtMs: clock.nowMs(),
  };
  await store.catalogue.put({ ...entry, body, engine });
  const present = new Set((await store.contexts.list(organizationId)).map((context) => context.id));
  await useIn(
    parts,
    edit,
    { id, name: body.title },
    deleted.contexts.filter((one) => present.has(one)),
  );
  const row = await namedRow(parts, organizationId, id);
  void indexUsers(parts, organizationId, id);
  return knowledgeView(parts, organizationId, row, await store.contexts.list(organizationId));
}

/** Removes the texts of documents that were deleted before a time, and their websites. Resolves with how many. */
export async function removeDeletedTexts(
  { store, files }: { store: Pick<Store, "deletedDocuments" | "websites">; files: FileStore },
  beforeMs: number,
): Promise<number> {
  const removed = await store.deletedDocuments.takeOlder(beforeMs);
  for (const { id, engine } of removed) {
    const { file, source } = documentSettingsSchema.safeParse(engine).data ?? {};
    if (file !== undefined) await files.remove(file);
    if (source === "website") await store.websites.remove(id);
  }
  return removed.length;
}
