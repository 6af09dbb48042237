import { Buffer } from "node:buffer";
import { ReadingProblem } from "../reading/reading-problem.ts";
import { htmlText } from "./html-text.ts";
import { requireSmallArchive } from "./small-archive.ts";

/** The text of a Word document (DOCX) as Markdown. Pictures and macros are left out. Throws ReadingProblem. */
export async function docxText(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await requireSmallArchive(buffer);
  const { default: mammoth } = await import("mammoth");
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        externalFileAccess: false,
        styleMap: ["p[style-name='Title'] => h1:fresh", "p[style-name='Subtitle'] => h2:fresh"],
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      },
    );
    return htmlText(value).text;
  } catch (error) {
    throw new ReadingProblem("The file is not a Word document (.docx), or it is damaged.", { cause: error });
  }
}
