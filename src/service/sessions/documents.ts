import { randomUUID } from "node:crypto";
import * as z from "zod";
import { documentSources } from "../../protocol/console/knowledge.ts";
import type { Clock } from "../clock.ts";
import type { ReadableDocument } from "../knowledge/reading/unit.ts";
import type { FileStore, Store, WebsiteRecord } from "../store/store.ts";

/** The longest text of a knowledge document, in characters. */
export const documentMaxCharacters = 1_000_000;

/** A document that cannot be stored. The message says why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: "no_text" | "too_long";

  constructor(code: DocumentError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** A knowledge document to store: plain text or Markdown. */
export interface NewDocument {
  /** Default: a new one. */
  id?: string | undefined;
  /** The organization that owns it; null for every organization. */
  organizationId: string | null;
  title: string;
  text: string;
  description?: string;
  details?: DocumentDetails;
}

interface DocumentDependencies {
  store: Pick<Store, "catalogue">;
  files: FileStore;
  clock: Clock;
}

/** What is known of a document beside its text, in the private settings of its row. */
const documentDetailsSchema = z.strictObject({
  /** Default: somebody wrote it. */
  source: z.enum(documentSources).optional(),
  /** The UUID of the context that taught answers are for. */
  context: z.string().optional(),
  /** How many passages and characters the text has, if somebody counted. */
  passages: z.int().optional(),
  characters: z.int().optional(),
  /** Why there is no text, where a file has none. */
  problem: z.string().optional(),
});
export type DocumentDetails = z.infer<typeof documentDetailsSchema>;

/**
 * Where a document's text is, in the private settings of its row: the name of a stored file, or the text itself if it is short.
 */
export const documentSettingsSchema = documentDetailsSchema
  .extend({
    file: z.string().min(1).optional(),
    text: z.string().min(1).max(documentMaxCharacters).optional(),
  })
  .refine(({ file, text }) => (file === undefined) !== (text === undefined), {
    message: "Set either file or text.",
  });

function checkedText(text: string): string {
  if (!/[\p{L}\p{N}]/u.test(text)) throw new DocumentError("no_text", "The document has no text.");
  if (text.length > documentMaxCharacters)
    throw new DocumentError(
      "too_long",
      `The document has ${text.length} characters; it may have at most ${documentMaxCharacters}.`,
    );
  return text;
}

/**
 * Stores a knowledge document and resolves with its id, which sessions can then name. The text is stored as a file, and the row
 * holds the file's name. Throws DocumentError.
 */
export async function addDocument(
  { store, files, clock }: DocumentDependencies,
  { id = randomUUID(), organizationId, title, text, description = "", details }: NewDocument,
): Promise<string> {
  const file = newFileName(id);
  const nowMs = clock.nowMs();
  const now = new Date(nowMs).toISOString();
  await files.write(file, new TextEncoder().encode(checkedText(text)));
  await store.catalogue.put({
    kind: "document",
    id,
    name: title,
    organizationId,
    createdAtMs: nowMs,
    body: {
      document_id: id,
      title,
      file: `/api/v1/document/${id}/file/`,
      // Texts are indexed at the first question, so no processing is left to do.
      processed: true,
      processed_v2: true,
      created_at: now,
      updated_at: now,
      description,
      search_count: 0,
      ef_search: 0,
    },
    engine: { file, ...details },
  });
  return id;
}

/** Each text has a file of its own, so that a text is never half replaced. */
const newFileName = (id: string): string => `document-${id}-${randomUUID().slice(0, 8)}.txt`;

/**
 * Replaces the text of a document that belongs to the organization; resolves with whether there is one. Throws DocumentError.
 */
export async function replaceDocumentText(
  { store, files, clock }: DocumentDependencies,
  organizationId: string,
  id: string,
  { text, title, details }: { text: string; title?: string | undefined; details: DocumentDetails },
): Promise<boolean> {
  const row = await store.catalogue.row("document", organizationId, id);
  if (row === null || row.isShared) return false;
  const file = newFileName(id);
  const nowMs = clock.nowMs();
  await files.write(file, new TextEncoder().encode(checkedText(text)));
  const body = { ...row.body, title: title ?? row.body.title, updated_at: new Date(nowMs).toISOString() };
  const entry = {
    kind: "document" as const,
    id: row.id,
    name: body.title,
    organizationId,
    createdAtMs: nowMs,
  };
  await store.catalogue.put({ ...entry, body, engine: { file, ...details } });
  const old = documentSettingsSchema.safeParse(row.engine).data?.file;
  if (old !== undefined) await files.remove(old);
  return true;
}

/** Removes a document that belongs to the organization, with its text; resolves with whether there was one. */
export async function removeDocument(
  { store, files }: Pick<DocumentDependencies, "store" | "files">,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const row = await store.catalogue.row("document", organizationId, id);
  if (row === null || row.isShared) return false;
  await store.catalogue.remove("document", organizationId, row.id);
  const { file } = documentSettingsSchema.safeParse(row.engine).data ?? {};
  if (file !== undefined) await files.remove(file);
  return true;
}

/** A document with its text. */
export interface StoredText {
  id: string;
  title: string;
  text: string;
  source?: DocumentDetails["source"];
}

/** A document's text, or null when the organization has no such document. */
export async function readDocument(
  { store, files }: Pick<DocumentDependencies, "store" | "files">,
  organizationId: string,
  identifier: string,
): Promise<StoredText | null> {
  const row = await store.catalogue.row("document", organizationId, identifier);
  const settings = documentSettingsSchema.safeParse(row?.engine);
  if (row === null || !settings.success) return null;
  const { file, text, source } = settings.data;
  const read = { id: row.id, title: row.body.title, source };
  if (text !== undefined) return { ...read, text };
  const bytes = file === undefined ? null : await files.read(file);
  return bytes && { ...read, text: new TextDecoder().decode(bytes) };
}

/** A document as answers are made from it: with where its parts are from. */
export async function withOrigin(
  { websites }: Pick<Store, "websites">,
  organizationId: string,
  { source, ...document }: StoredText,
): Promise<StoredText & ReadableDocument> {
  const website = source === "website" ? await websites.find(organizationId, document.id) : null;
  return { ...document, isTaught: source === "taught", pages: website ? pagesOf(website) : [] };
}

function pagesOf({ address, report }: WebsiteRecord): ReadableDocument["pages"] {
  const { origin } = new URL(address);
  // A path that begins with two slashes would name another host if it were resolved.
  return report.pages.map(({ path, characters = 0 }) => ({ url: `${origin}${path}`, characters }));
}

/** Counts one search of a document. */
export async function countDocumentSearch(
  store: Pick<Store, "catalogue">,
  organizationId: string,
  id: string,
): Promise<void> {
  await store.catalogue.revise("document", organizationId, id, (body) => ({
    ...body,
    search_count: body.search_count + 1,
  }));
}
