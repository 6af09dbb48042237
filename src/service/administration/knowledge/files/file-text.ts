import { AdministrationError } from "../../administration-error.ts";
import { documentText } from "../../../sessions/documents.ts";
import { refusingDocuments } from "../document-details.ts";
import type { FileReader } from "./file-reader.ts";
import type { OfficeFileKind } from "./file-worker-messages.ts";

/** The readers of files, by the extension of the file name. */
type FileTextReader = (bytes: Uint8Array, reader: FileReader) => Promise<string>;

const refused = (message: string): AdministrationError =>
  new AdministrationError("document_refused", message, { field: "file" });

const plain: FileTextReader = (bytes) =>
  refusingDocuments("file", () => Promise.resolve(documentText(bytes)));

/** Readers are large, so each is loaded on demand. */
const html: FileTextReader = async (bytes, reader) => {
  const { htmlText } = await import("./html-text.ts");
  return htmlText(await plain(bytes, reader)).text;
};

const office =
  (kind: OfficeFileKind): FileTextReader =>
  async (bytes, reader) => {
    const outcome = await reader.read(kind, bytes);
    if ("problem" in outcome) throw refused(outcome.problem);
    return outcome.text;
  };

const readers: Readonly<Record<string, FileTextReader>> = {
  txt: plain,
  text: plain,
  md: plain,
  markdown: plain,
  html,
  htm: html,
  pdf: office("pdf"),
  docx: office("docx"),
};

/** The extensions of files that can be read. */
const known = ["pdf", "docx", "txt", "md", "html"];

/**
 * The text of an uploaded file. Throws AdministrationError `document_refused` of the field `file` for files that cannot be read.
 */
export async function fileText(name: string, bytes: Uint8Array, reader: FileReader): Promise<string> {
  const ending = /\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  const read = Object.hasOwn(readers, ending) ? readers[ending] : undefined;
  if (!read)
    throw refused(`Files of this kind cannot be read; send ${known.map((one) => `.${one}`).join(", ")}.`);
  const text = await read(bytes, reader);
  if (/[\p{L}\p{N}]/u.test(text)) return text;
  throw refused("There are no words in the file.");
}
