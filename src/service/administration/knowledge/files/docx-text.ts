import { Buffer } from "node:buffer";
import { FileProblem } from "./file-problem.ts";
import { htmlText } from "./html-text.ts";
import { requireSmallArchive } from "./small-archive.ts";

/** The text of a Word document (DOCX) as Markdown. Pictures and macros are left out. Throws FileProblem. */
export async function docxText(bytes: Uint8Array): Promise<string> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  await requireSmallArchive(buffer);
  const { default: mammoth } = await import("mammoth");
  try {
    const { value } = await mammoth.convertToHtml(
      { buffer },
      {
        externalFileAccess: false,
        convertImage: mammoth.images.imgElement(() => Promise.resolve({ src: "" })),
      },
    );
    return htmlText(value).text;
  } catch (error) {
    throw new FileProblem("The file is not a Word document (.docx), or it is damaged.", { cause: error });
  }
}
