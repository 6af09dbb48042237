import { documentPassages } from "../../knowledge/reading/document-passages.ts";
import { DocumentError } from "../../sessions/documents.ts";
import type { DocumentDetails } from "../../sessions/documents.ts";
import { AdministrationError } from "../administration-error.ts";

/** The details of a document with the counts of its text. */
export async function countedDetails(text: string, details: DocumentDetails): Promise<DocumentDetails> {
  const { problem: _solved, ...kept } = details;
  return { ...kept, passages: (await documentPassages(text)).length, characters: text.length };
}

/** Runs work on documents. A document that cannot be stored is an AdministrationError `document_refused` of the given field. */
export async function refusingDocuments<Result>(field: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DocumentError)) throw error;
    throw new AdministrationError("document_refused", error.message, { cause: error, field });
  }
}
