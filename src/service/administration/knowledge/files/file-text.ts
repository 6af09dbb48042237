import { AdministrationError } from "../../administration-error.ts";
import { decodedText } from "../website/decoded-text.ts";
import type { TextReader } from "../reading/text-reader.ts";

type FileTextReader = (bytes: Uint8Array, reader: Pick<TextReader, "read">) => Promise<string>;

const refused = (message: string): AdministrationError =>
  new AdministrationError("document_refused", message, { field: "file" });

/** What a file without a name is, by its first bytes. */
function kindOf(bytes: Uint8Array): string {
  const start = new TextDecoder("latin1").decode(bytes.subarray(0, 5));
  if (start === "%PDF-") return "pdf";
  return start.startsWith("PK\u0003\u0004") ? "docx" : "txt";
}

/** What no text has more often than once in so many characters. */
// eslint-disable-next-line no-control-regex -- these are what is counted
const control = { pattern: /[\0-\x08\x0e-\x1a\x1c-\x1f]/g, onceIn: 200 };

const plain: FileTextReader = (bytes) => {
  const text = decodedText({ bytes, charset: null });
  const isText = (text.match(control.pattern) ?? []).length * control.onceIn <= text.length;
  if (isText && !text.includes("\0") && kindOf(bytes) === "txt") return Promise.resolve(text);
  return Promise.reject(
    refused("The file is not text. Send it with the ending of its kind, or save it as text."),
  );
};

const apart =
  (kind: "pdf" | "docx" | "html"): FileTextReader =>
  async (bytes, reader) => {
    const outcome = await reader.read(kind, bytes);
    if ("problem" in outcome) throw refused(outcome.problem);
    return outcome.read;
  };

/** The readers of files, by the extension of the file name. */
const readers: Readonly<Record<string, FileTextReader>> = {
  txt: plain,
  text: plain,
  md: plain,
  markdown: plain,
  html: apart("html"),
  htm: apart("html"),
  pdf: apart("pdf"),
  docx: apart("docx"),
};

/** The extensions of files that can be read. */
const known = ["pdf", "docx", "txt", "md", "html"];

/**
 * The text of a file, whose kind its name says; null: it has none. Throws AdministrationError `document_refused` of the field `file`
 * for files that cannot be read.
 */
export async function fileText(
  name: string | null,
  bytes: Uint8Array,
  reader: Pick<TextReader, "read">,
): Promise<string> {
  const ending = name === null ? kindOf(bytes) : (/\.([a-z]+)$/i.exec(name)?.[1]?.toLowerCase() ?? "");
  const read = Object.hasOwn(readers, ending) ? readers[ending] : undefined;
  if (!read)
    throw refused(`Files of this kind cannot be read; send ${known.map((one) => `.${one}`).join(", ")}.`);
  const text = await read(bytes, reader);
  if (/[\p{L}\p{N}]/u.test(text)) return text;
  throw refused("There are no words in the file.");
}
