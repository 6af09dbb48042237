import { describe, expect, onTestFinished, test } from "vitest";
import { docxText } from "../../../../src/service/administration/knowledge/files/docx-text.ts";
import { pdfText } from "../../../../src/service/administration/knowledge/files/pdf-text.ts";
import { useTextReader } from "../../use-text-reader.ts";
import { sampleDocx, samplePdf } from "./office-files.ts";

const makeReader = useTextReader();

function openReader(options?: Parameters<typeof makeReader>[0]) {
  const reader = makeReader(options);
  onTestFinished(() => reader.close());
  return reader;
}

test("a PDF is read with headings, paragraphs and divided words", async () => {
  const pdf = samplePdf([
    [
      { text: "Care of oak", size: 20, y: 700 },
      { text: "Wipe the table with a dry cloth and oil it twice a year, as the wood be-", y: 660 },
      { text: "comes dull without oil.", y: 645 },
      { text: "Wool is brushed (gently).", y: 600 },
    ],
    [{ text: "Leather needs wax.", y: 700 }],
  ]);
  expect(await openReader().read("pdf", pdf)).toEqual({
    read: [
      "## Care of oak",
      "Wipe the table with a dry cloth and oil it twice a year, as the wood becomes dull without oil.",
      "Wool is brushed (gently).",
      "Leather needs wax.",
    ].join("\n\n"),
  });
});

/** Lines of a PDF, one below the other. */
const below = (y: number, x: number, ...lines: string[]) =>
  lines.map((text, index) => ({ text, x, y: y - index * 14 }));
const left = below(
  ...[700, 72, "Our oak comes from forests in Styria and is"],
  "dried for two years in the open air before it",
  "is planed by hand. Delivery takes about nine",
);
const right = below(
  ...[700, 330, "days within Austria, and fourteen days to all"],
  "other countries. We call you before we come.",
  "Returns are free for thirty days.",
);
const columns = [...left, ...right];
const inTurn = left.flatMap((line, index) => [line, ...right.slice(index, index + 1)]);
const wholeColumns = columns.map(({ text }) => text).join(" ");
const rows = ["Product,Size,Price", "Teapot with,20 cm,65 pounds", "Vase,30 cm,48 pounds"].flatMap(
  (row, index) => row.split(",").map((text, column) => ({ text, x: 72 + column * 150, y: 700 - index * 30 })),
);
const cell = { text: "its lid", x: 72, y: 656 };
const table =
  "| Product | Size | Price |\n| Teapot with its lid | 20 cm | 65 pounds |\n| Vase | 30 cm | 48 pounds |";
const hours = ["Monday to Friday: 9:00-18:00", "Saturday: 10:00-14:00", "Sunday: closed"];

test.each<[what: string, pages: Parameters<typeof samplePdf>[0], text: string]>([
  ["goes on in the next column, written column by column", [columns], wholeColumns],
  ["goes on in the next column, written line by line", [inTurn], wholeColumns],
  [
    "goes on at the next page, whose number is left out",
    [
      [...below(700, 72, "We deliver to all of Europe and call you"), ...below(40, 300, "Page 1 of 2")],
      [...below(700, 72, "before we come."), ...below(40, 300, "Page 2 of 2")],
    ],
    "We deliver to all of Europe and call you before we come.",
  ],
  [
    "in tables stays one, also with several lines in a cell",
    [[...rows.slice(0, 6), cell, ...rows.slice(6), { text: "All of it is ours.", y: 580 }]],
    `${table}\n\nAll of it is ours.`,
  ],
  [
    "of opening hours and lists stays lines",
    [[...below(700, 72, ...hours), ...below(640, 72, "- oak", "- beech wood")]],
    `${hours.join("\n")}\n\n- oak\n- beech wood`,
  ],
])("the text of a PDF %s", async (_what, pages, text) => {
  expect(await pdfText(samplePdf(pages))).toBe(text);
});

test.each([
  ["Korea1", "KSCms-UHC-H", "\xbf\xb5\xbe\xf7\xbd\xc3\xb0\xa3", "영업시간"],
  ["Japan1", "90ms-RKSJ-H", "\x89\x63\x8b\xc6\x8e\x9e\x8a\xd4", "営業時間"],
])("a PDF whose letters are mapped by a file of %s is read", async (ordering, encoding, text, read) => {
  const pdf = samplePdf([[{ text, y: 700 }]], { ordering, encoding });
  expect(await openReader().read("pdf", pdf)).toEqual({ read });
});

test("a PDF without words says that it has only pictures", async () => {
  await expect(pdfText(samplePdf([[]]))).rejects.toThrow("Only pictures in it, no words");
});

test("a Word document is read with headings and tables, and its markup stays text", async () => {
  const prices = [
    ["Product", "Price"],
    ["Vase", "48 pounds"],
    ["Cup", "9 pounds"],
  ];
  const docx = sampleDocx(["# Delivery", "We deliver <b>pianos</b> & chairs.", "In nine days.", prices]);
  expect(await docxText(docx)).toBe(
    "# Delivery\n\nWe deliver <b>pianos</b> & chairs.\n\nIn nine days.\n\n| Product | Price |\n| Vase | 48 pounds |\n| Cup | 9 pounds |",
  );
});

describe("a file is given up, and the next one is read", () => {
  const damaged = new TextEncoder().encode("%PDF-1.7 and nothing else");
  const words = [{ text: "Many words on many pages.", y: 700 }];
  const pages = Array.from({ length: 400 }, () => words);
  const many = Array.from({ length: 100_000 }, (_, index) => `Paragraph ${index}.`);
  let looks = 0;
  const grown = () => (looks++ === 0 ? 0 : 201 * 1024 * 1024);
  const tooMuch = "too much memory";

  test.each<[what: string, kind: "pdf" | "docx", bytes: () => Uint8Array, why: string, options?: object]>([
    ["is a damaged PDF", "pdf", () => damaged, "damaged"],
    ["is a damaged Word document", "docx", () => damaged, "damaged"],
    ["takes too long", "pdf", () => samplePdf(pages), "too long", { timeoutMs: 1 }],
    [
      "is read while the process needs too much memory",
      "pdf",
      () => samplePdf([words]),
      tooMuch,
      { memoryMb: 100, memoryBytes: grown },
    ],
    [
      "is a Word document that needs too much memory",
      "docx",
      () => sampleDocx(many),
      tooMuch,
      { memoryMb: 40 },
    ],
  ])("that %s", async (_what, kind, bytes, why, options = {}) => {
    const reader = openReader(options);
    const outcome = await reader.read(kind, bytes());
    expect(outcome).toMatchObject({ problem: expect.stringContaining(why) as string });
    if ("timeoutMs" in options) return;
    expect(await reader.read("docx", sampleDocx(["Still here."]))).toEqual({ read: "Still here." });
  });
});

test("files beyond those that may wait are refused, and say when to try again", async () => {
  const reader = openReader({ maxWaiting: 1 });
  const first = reader.read("docx", sampleDocx(["One."]));
  const problem: unknown = expect.stringContaining("try again in a minute");
  expect(await reader.read("docx", sampleDocx(["Two."]))).toMatchObject({ problem });
  expect(await first).toEqual({ read: "One." });
});
