import { zip } from "../models/archives.ts";

/** A line of a PDF's page. */
interface SampleLine {
  text: string;
  size?: number;
  x?: number;
  y: number;
}

/** A font with letters of another script: its collection, and how its bytes are mapped. The text is then these bytes as Latin-1. */
interface SampleFont {
  ordering: string;
  encoding: string;
}

const helvetica = "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>";
const foreignFont = ({ ordering, encoding }: SampleFont): string =>
  `<< /Type /Font /Subtype /Type0 /BaseFont /Foreign /Encoding /${encoding} /DescendantFonts [<< /Type /Font /Subtype /CIDFontType2 /BaseFont /Foreign /CIDSystemInfo << /Registry (Adobe) /Ordering (${ordering}) /Supplement 2 >> /FontDescriptor << /Type /FontDescriptor /FontName /Foreign /Flags 4 >> >>] >>`;

/** A PDF (ISO 32000-1) with one page for each list of lines. Without lines, a page has no text. Bytes are a packed page. */
export function samplePdf(pages: readonly (readonly SampleLine[] | Buffer)[], font?: SampleFont): Uint8Array {
  const escaped = (text: string): string => text.replace(/[\\()]/g, "\\$&");
  const objects: string[] = [
    "<< /Type /Catalog /Pages 2 0 R >>",
    "",
    font === undefined ? helvetica : foreignFont(font),
  ];
  const kids: string[] = [];
  for (const lines of pages) {
    const isPacked = Buffer.isBuffer(lines);
    const content = isPacked
      ? lines.toString("latin1")
      : lines
          .map(({ text, size = 12, x = 72, y }) => `BT /F1 ${size} Tf ${x} ${y} Td (${escaped(text)}) Tj ET`)
          .join("\n");
    objects.push(
      `<< /Length ${content.length}${isPacked ? " /Filter /FlateDecode" : ""} >>\nstream\n${content}\nendstream`,
    );
    const stream = objects.length;
    objects.push(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${stream} 0 R /Resources << /Font << /F1 3 0 R >> >> >>`,
    );
    kids.push(`${objects.length} 0 R`);
  }
  objects[1] = `<< /Type /Pages /Kids [${kids.join(" ")}] /Count ${kids.length} >>`;
  let text = "%PDF-1.7\n";
  const offsets = objects.map((object, index) => {
    const offset = text.length;
    text += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return offset;
  });
  const table = text.length;
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  text += offsets.map((offset) => `${String(offset).padStart(10, "0")} 00000 n \n`).join("");
  text += `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${table}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, "latin1"));
}

const main = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
const types = "http://schemas.openxmlformats.org/package/2006/content-types";
const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument";
const stylesType = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles";
const wordType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml";

const escapeXml = (text: string): string => text.replace(/&/g, "&amp;").replace(/</g, "&lt;");

const run = (text: string): string => `<w:r><w:t>${escapeXml(text)}</w:t></w:r>`;
const tableOf = (rows: readonly string[][]): string =>
  `<w:tbl>${rows
    .map((cells) => `<w:tr>${cells.map((cell) => `<w:tc><w:p>${run(cell)}</w:p></w:tc>`).join("")}</w:tr>`)
    .join("")}</w:tbl>`;

/** A Word document (ECMA-376) of paragraphs and tables; paragraphs that begin with `# ` are headings. */
export function sampleDocx(
  paragraphs: readonly (string | string[][])[],
  more: Parameters<typeof zip>[0] = [],
): Uint8Array {
  const body = paragraphs
    .map((paragraph) => {
      if (typeof paragraph !== "string") return tableOf(paragraph);
      const isHeading = paragraph.startsWith("# ");
      const style = isHeading ? '<w:pPr><w:pStyle w:val="Heading1"/></w:pPr>' : "";
      return `<w:p>${style}${run(paragraph.replace(/^# /, ""))}</w:p>`;
    })
    .join("");
  const styles = `<w:styles xmlns:w="${main}"><w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="heading 1"/></w:style></w:styles>`;
  const parts = [
    {
      name: "[Content_Types].xml",
      content: `<Types xmlns="${types}"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/word/document.xml" ContentType="${wordType}"/></Types>`,
    },
    {
      name: "_rels/.rels",
      content: `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}" Target="word/document.xml"/></Relationships>`,
    },
    {
      name: "word/_rels/document.xml.rels",
      content: `<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${stylesType}" Target="styles.xml"/></Relationships>`,
    },
    { name: "word/styles.xml", content: styles },
    {
      name: "word/document.xml",
      content: `<w:document xmlns:w="${main}"><w:body>${body}</w:body></w:document>`,
    },
  ];
  return new Uint8Array(zip([...parts, ...more]));
}
