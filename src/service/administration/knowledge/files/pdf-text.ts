import { documentMaxCharacters } from "../../../sessions/documents.ts";
import { FileProblem } from "./file-problem.ts";
import { pdfParagraphs, usualHeight, type PdfLine } from "./pdf-paragraphs.ts";

/** The most pages of a PDF. */
const maxPages = 1_000;

/** A piece of text on a page, as PDF.js finds it. */
interface Piece {
  str: string;
  height: number;
  hasEOL: boolean;
  transform: readonly number[];
}

function linesOf(pieces: readonly Piece[]): PdfLine[] {
  const lines: PdfLine[] = [];
  let line: PdfLine | null = null;
  for (const { str, height, hasEOL, transform } of pieces) {
    line ??= { text: "", y: transform[5] ?? 0, height: 0 };
    line.text += str;
    if (str.trim() !== "") line.height = Math.max(line.height, height);
    if (!hasEOL) continue;
    lines.push(line);
    line = null;
  }
  if (line) lines.push(line);
  return lines;
}

/** The problem that a failure of PDF.js means. */
function problemOf(error: unknown): FileProblem {
  const isLocked = error instanceof Error && error.name === "PasswordException";
  const message = isLocked
    ? "The PDF is protected by a password; save it without one."
    : "The PDF is damaged; open it in another program and save it again.";
  return new FileProblem(message, { cause: error });
}

/** The text of a PDF as Markdown. Nothing in it runs, and no address in it is called. Throws FileProblem. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const { getDocument } = await import("pdfjs-serverless");
  const loading = getDocument({
    data: bytes,
    isEvalSupported: false,
    useSystemFonts: true,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
  });
  const pdf = await loading.promise.catch((error: unknown) => {
    throw problemOf(error);
  });
  if (pdf.numPages > maxPages)
    throw new FileProblem(`The PDF has ${pdf.numPages} pages; it may have at most ${maxPages}.`);
  const pages: PdfLine[][] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = linesOf(items.filter((item): item is typeof item & Piece => "str" in item));
    page.cleanup();
    pages.push(lines);
    characters += lines.reduce((sum, { text }) => sum + text.length, 0);
    // The document is refused for its length anyway.
    if (characters > documentMaxCharacters) break;
  }
  const usual = usualHeight(pages.flat());
  if (usual === 0) throw new FileProblem("Only pictures in it, no words. Save it as a PDF with text.");
  return pages.flatMap((lines) => pdfParagraphs(lines, usual)).join("\n\n");
}
