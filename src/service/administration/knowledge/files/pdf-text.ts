import { documentMaxCharacters } from "../../../sessions/documents.ts";
import { ReadingProblem } from "../reading/reading-problem.ts";
import { inReadingOrder, pdfLines, type PdfLine, type PdfPiece } from "./pdf-lines.ts";
import { pdfParagraphs, usualHeight } from "./pdf-paragraphs.ts";

/** The most pages of a PDF. */
const maxPages = 1_000;

/** Gives PDF.js the files that it asks for. Nearly all PDFs do without, so they are loaded when they are needed. */
class CharacterMaps {
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    const { characterMap } = await import("./pdf-character-maps.ts");
    const map = kind === "cMapUrl" ? characterMap(filename) : undefined;
    if (map === undefined) throw new Error("There is no such file.");
    return map;
  }
}

/** The problem that a failure of PDF.js means. */
function problemOf(error: unknown): ReadingProblem {
  const isLocked = error instanceof Error && error.name === "PasswordException";
  const message = isLocked
    ? "The PDF is protected by a password; save it without one."
    : "The PDF is damaged; open it in another program and save it again.";
  return new ReadingProblem(message, { cause: error });
}

/** The text of a PDF as Markdown. Nothing in it runs, and no address in it is called. Throws ReadingProblem. */
export async function pdfText(bytes: Uint8Array): Promise<string> {
  const { getDocument } = await import("pdfjs-serverless");
  const loading = getDocument({
    data: bytes,
    isEvalSupported: false,
    useSystemFonts: true,
    disableFontFace: true,
    stopAtErrors: false,
    verbosity: 0,
    BinaryDataFactory: CharacterMaps,
  });
  const pdf = await loading.promise.catch((error: unknown) => {
    throw problemOf(error);
  });
  if (pdf.numPages > maxPages)
    throw new ReadingProblem(`The PDF has ${pdf.numPages} pages; it may have at most ${maxPages}.`);
  const pages: PdfLine[][][] = [];
  let characters = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const page = await pdf.getPage(number);
    const { items } = await page.getTextContent();
    const lines = pdfLines(items.filter((item): item is typeof item & PdfPiece => "str" in item));
    page.cleanup();
    pages.push(inReadingOrder(lines));
    characters += lines.flat().reduce((sum, { text }) => sum + text.length, 0);
    // The document is refused for its length anyway.
    if (characters > documentMaxCharacters) break;
  }
  const usual = usualHeight(pages.flat(2));
  if (usual === 0) throw new ReadingProblem("Only pictures in it, no words. Save it as a PDF with text.");
  return pdfParagraphs(pages, usual).join("\n\n");
}
