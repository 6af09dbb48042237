import { deflateSync } from "node:zlib";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createFileReader } from "../../../../src/service/administration/knowledge/files/file-reader.ts";
import { bundleEntry, type BundledEntry } from "../../bundle-entry.ts";
import { sampleDocx, samplePdf } from "./office-files.ts";

let entry: BundledEntry;

beforeAll(async () => {
  entry = await bundleEntry("src/service/administration/knowledge/files/file-worker.ts");
});
afterAll(() => entry.remove());

function openReader(options: Partial<Parameters<typeof createFileReader>[0]> = {}) {
  const reader = createFileReader({
    workerUrl: entry.url,
    memoryBytes: () => process.memoryUsage.rss(),
    ...options,
  });
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
    text: [
      "## Care of oak",
      "Wipe the table with a dry cloth and oil it twice a year, as the wood becomes dull without oil.",
      "Wool is brushed (gently).",
      "Leather needs wax.",
    ].join("\n\n"),
  });
});

test("a PDF without words says that it has only pictures", async () => {
  expect(await openReader().read("pdf", samplePdf([[]]))).toEqual({
    problem: expect.stringContaining("Only pictures in it, no words"),
  });
});

test("a Word document is read with headings, and its markup stays text", async () => {
  const docx = sampleDocx(["# Delivery", "We deliver <b>pianos</b> & chairs.", "In nine days."]);
  expect(await openReader().read("docx", docx)).toEqual({
    text: "# Delivery\n\nWe deliver <b>pianos</b> & chairs.\n\nIn nine days.",
  });
});

test("a damaged file says so, and the next one is read", async () => {
  const reader = openReader();
  const damaged = new TextEncoder().encode("%PDF-1.7 and nothing else");
  expect(await reader.read("pdf", damaged)).toEqual({ problem: expect.stringContaining("damaged") });
  expect(await reader.read("docx", damaged)).toEqual({ problem: expect.stringContaining("damaged") });
  expect(await reader.read("docx", sampleDocx(["Still here."]))).toEqual({ text: "Still here." });
});

test("an archive that becomes huge is refused, also when it states another size", async () => {
  const content = Buffer.alloc(120 * 1024 * 1024, "a");
  const reader = openReader();
  for (const claimedSize of [content.length, 10]) {
    const docx = sampleDocx(["Small."], [{ name: "word/media/big.txt", content, claimedSize }]);
    expect(await reader.read("docx", docx)).toEqual({ problem: expect.stringMatching(/too large|damaged/) });
  }
});

test("a file that takes too long is given up", async () => {
  const pages = Array.from({ length: 400 }, () => [{ text: "Many words on many pages.", y: 700 }]);
  const outcome = await openReader({ timeoutMs: 1 }).read("pdf", samplePdf(pages));
  expect(outcome).toEqual({ problem: expect.stringContaining("too long") });
});

test("a small PDF that unpacks to hundreds of megabytes is given up, and the next one is read", async () => {
  const reader = openReader({ memoryMb: 100 });
  const bomb = samplePdf([deflateSync(Buffer.alloc(400 * 1024 * 1024))]);
  expect(await reader.read("pdf", bomb)).toEqual({ problem: expect.stringContaining("too much memory") });
  const small = samplePdf([deflateSync("BT /F1 12 Tf 72 700 Td (Words.) Tj ET")]);
  expect(await reader.read("pdf", small)).toEqual({ text: "Words." });
}, 60_000);

test("a Word document that needs too much memory is given up", async () => {
  const docx = sampleDocx(Array.from({ length: 100_000 }, (_, index) => `Paragraph ${index}.`));
  expect(await openReader({ memoryMb: 40 }).read("docx", docx)).toEqual({
    problem: expect.stringContaining("too much memory"),
  });
});

test("files beyond those that may wait are refused, and say when to try again", async () => {
  const reader = openReader({ maxWaiting: 1 });
  const first = reader.read("docx", sampleDocx(["One."]));
  expect(await reader.read("docx", sampleDocx(["Two."]))).toEqual({
    problem: expect.stringContaining("try again in a minute"),
  });
  expect(await first).toEqual({ text: "One." });
});
