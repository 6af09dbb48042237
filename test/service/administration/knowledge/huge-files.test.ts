import { deflateSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { useTextReader } from "../../use-text-reader.ts";
import { sampleDocx, samplePdf } from "./office-files.ts";

/** Small files that unpack to hundreds of megabytes, with the limits of production. */
const makeReader = useTextReader();

const mebibyte = 1024 * 1024;

test("a Word document that unpacks to more than 100 MiB is refused", async () => {
  const reader = makeReader();
  onTestFinished(() => reader.close());
  const docx = sampleDocx(
    ["Small."],
    [{ name: "word/media/big.txt", content: Buffer.alloc(101 * mebibyte) }],
  );
  expect(await reader.read("docx", docx)).toMatchObject({
    problem: expect.stringContaining("too large when it is unpacked"),
  });
});

test("a PDF that unpacks to more memory than a file may use is given up, and the next one is read", async () => {
  const reader = makeReader({ memoryMb: 100 });
  onTestFinished(() => reader.close());
  const bomb = samplePdf([deflateSync(Buffer.alloc(400 * mebibyte))]);
  expect(await reader.read("pdf", bomb)).toMatchObject({
    problem: expect.stringContaining("too much memory"),
  });
  const small = samplePdf([deflateSync("BT /F1 12 Tf 72 700 Td (Words.) Tj ET")]);
  expect(await reader.read("pdf", small)).toEqual({ read: "Words." });
});
