import { randomUUID } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { FileStore, Store } from "../store/store.ts";

/** The longest text of a knowledge document, in characters. */
export const documentMaxCharacters = 1_000_000;

/** A document that cannot be kept. The message says why. */
export class DocumentError extends Error {
  override readonly name = "DocumentError";
  readonly code: "no_text" | "too_long" | "not_text";

  constructor(code: DocumentError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** A knowledge document to be kept: plain text or Markdown. */
export interface NewDocument {
  /** Whose it is; null for every organization. */
  organizationId: string | null;
  title: string;
  text: string;
  description?: string;
}

interface DocumentDependencies {
  store: Store;
  files: FileStore;
  clock: Clock;
}

/** Where a document's text is, in its row's private settings: a file of the store, or, where it is short, right there. */
export const documentSettingsSchema = z
  .strictObject({
    file: z.string().min(1).optional(),
    text: z.string().min(1).max(documentMaxCharacters).optional(),
  })
  .refine(({ file, text }) => (file === undefined) !== (text === undefined), {
    message: "Set either file or text.",
  });

/** The text of a file in UTF-8. Throws DocumentError `not_text` for anything else. */
export function documentText(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Said below.
  }
  throw new DocumentError("not_text", "The file is not text in UTF-8; plain text and Markdown can be used.");
}

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
 * Keeps a knowledge document, which sessions can name from then on; resolves with its id. Its text lies with the files, its
 * row says under which name. Throws DocumentError.
 */
export async function addDocument(
  { store, files, clock }: DocumentDependencies,
  { organizationId, title, text, description = "" }: NewDocument,
): Promise<string> {
  const id = randomUUID();
  const file = `document-${id}.txt`;
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
      // Texts are indexed when they are first asked, so there is nothing left to process.
      processed: true,
      processed_v2: true,
      created_at: now,
      updated_at: now,
      description,
      search_count: 0,
      ef_search: 0,
    },
    engine: { file },
  });
  return id;
}

/** A document's text, or null when an organization has no such document. */
export async function readDocument(
  { store, files }: Pick<DocumentDependencies, "store" | "files">,
  organizationId: string,
  identifier: string,
): Promise<{ id: string; text: string } | null> {
  const row = await store.catalogue.row("document", organizationId, identifier);
  const settings = documentSettingsSchema.safeParse(row?.engine);
  if (row === null || !settings.success) return null;
  const { file, text } = settings.data;
  if (text !== undefined) return { id: row.id, text };
  const bytes = file === undefined ? null : await files.read(file);
  return bytes && { id: row.id, text: new TextDecoder().decode(bytes) };
}

/** Counts that a document was searched. */
export async function countDocumentSearch(store: Store, organizationId: string, id: string): Promise<void> {
  await store.catalogue.revise("document", organizationId, id, (body) => ({
    ...body,
    search_count: body.search_count + 1,
  }));
}
