import { expect, onTestFinished, test } from "vitest";
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

test.each([
  ["column by column", [...left, ...right]],
  ["line by line", left.flatMap((line, index) => [line, ...right.slice(index, index + 1)])],
])(
  "sentences of a PDF with two columns go on in the next one, if it is written %s",
  async (_order, lines) => {
    expect(await pdfText(samplePdf([lines]))).toBe([...left, ...right].map(({ text }) => text).join(" "));
  },
);

test("a sentence goes on at the next page of a PDF, whose number is left out", async () => {
  const pdf = samplePdf([
    [...below(700, 72, "We deliver to all of Europe and call you"), ...below(40, 300, "Page 1 of 2")],
    [...below(700, 72, "before we come."), ...below(40, 300, "Page 2 of 2")],
  ]);
  expect(await pdfText(pdf)).toBe("We deliver to all of Europe and call you before we come.");
});

test("tables of a PDF are tables, also with several lines in a cell", async () => {
  const rows = ["Product,Size,Price", "Teapot with,20 cm,65 pounds", "Vase,30 cm,48 pounds"].flatMap(
    (row, index) =>
      row.split(",").map((text, column) => ({ text, x: 72 + column * 150, y: 700 - index * 30 })),
  );
  const cell = { text: "its lid", x: 72, y: 656 };
  const pdf = samplePdf([
    [...rows.slice(0, 6), cell, ...rows.slice(6), { text: "All of it is ours.", y: 580 }],
  ]);
  expect(await pdfText(pdf)).toBe(
    "| Product | Size | Price |\n| Teapot with its lid | 20 cm | 65 pounds |\n| Vase | 30 cm | 48 pounds |\n\nAll of it is ours.",
  );
});

test("opening hours and lists of a PDF stay lines", async () => {
  const hours = ["Monday to Friday: 9:00-18:00", "Saturday: 10:00-14:00", "Sunday: closed"];
  const pdf = samplePdf([[...below(700, 72, ...hours), ...below(640, 72, "- oak", "- beech wood")]]);
  expect(await pdfText(pdf)).toBe(`${hours.join("\n")}\n\n- oak\n- beech wood`);
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

test("a Word document is read with headings, and its markup stays text", async () => {
  const docx = sampleDocx(["# Delivery", "We deliver <b>pianos</b> & chairs.", "In nine days."]);
  expect(await docxText(docx)).toBe("# Delivery\n\nWe deliver <b>pianos</b> & chairs.\n\nIn nine days.");
});

test("a table of a Word document is one", async () => {
  const rows = [
    ["Product", "Price"],
    ["Vase", "48 pounds"],
    ["Cup", "9 pounds"],
  ];
  expect(await docxText(sampleDocx([rows]))).toBe(
    "| Product | Price |\n| Vase | 48 pounds |\n| Cup | 9 pounds |",
  );
});

test("a damaged file says so, and the next one is read", async () => {
  const reader = openReader();
  const damaged = new TextEncoder().encode("%PDF-1.7 and nothing else");
  expect(await reader.read("pdf", damaged)).toMatchObject({ problem: expect.stringContaining("damaged") });
  expect(await reader.read("docx", damaged)).toMatchObject({ problem: expect.stringContaining("damaged") });
  expect(await reader.read("docx", sampleDocx(["Still here."]))).toEqual({ read: "Still here." });
});

test("a file that takes too long is given up", async () => {
  const pages = Array.from({ length: 400 }, () => [{ text: "Many words on many pages.", y: 700 }]);
  const outcome = await openReader({ timeoutMs: 1 }).read("pdf", samplePdf(pages));
  expect(outcome).toMatchObject({ problem: expect.stringContaining("too long") });
});

test("a file during which the process needs too much memory is given up, and the next one is read", async () => {
  let looks = 0;
  const reader = openReader({
    memoryMb: 100,
    memoryBytes: () => (looks++ === 0 ? 0 : 201 * 1024 * 1024),
  });
  const pdf = samplePdf([[{ text: "Words.", y: 700 }]]);
  expect(await reader.read("pdf", pdf)).toMatchObject({
    problem: expect.stringContaining("too much memory"),
  });
  expect(await reader.read("docx", sampleDocx(["Still here."]))).toEqual({ read: "Still here." });
});

test("a Word document that needs too much memory is given up", async () => {
  const docx = sampleDocx(Array.from({ length: 100_000 }, (_, index) => `Paragraph ${index}.`));
  expect(await openReader({ memoryMb: 40 }).read("docx", docx)).toMatchObject({
    problem: expect.stringContaining("too much memory"),
  });
});

test("files beyond those that may wait are refused, and say when to try again", async () => {
  const reader = openReader({ maxWaiting: 1 });
  const first = reader.read("docx", sampleDocx(["One."]));
  expect(await reader.read("docx", sampleDocx(["Two."]))).toMatchObject({
    problem: expect.stringContaining("try again in a minute"),
  });
  expect(await first).toEqual({ read: "One." });
});
