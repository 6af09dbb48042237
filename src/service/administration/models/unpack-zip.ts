import { createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { crc32 } from "node:zlib";
import { open, type Entry, type ZipFile } from "yauzl";
import { refused, type UnpackBudget } from "./unpack-budget.ts";

const typeBits = 0o170000;
const regularFile = 0o100000;
const folderType = 0o040000;

function opened(file: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Every size is checked against what the archive's directory says, which is checked against the limits first.
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
    open(file, options, (error, zip) => (error ? reject(error) : resolve(zip)));
  });
}

function contentOf(zip: ZipFile, entry: Entry): Promise<Readable> {
  return new Promise((resolve, reject) => {
    zip.openReadStream(entry, (error, content) => (error ? reject(error) : resolve(content)));
  });
}

/** Passes the content on, and throws at its end if its checksum is wrong: yauzl does not check it. */
function checked({ fileName, crc32: expected }: Entry) {
  return async function* (content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sum = 0;
    for await (const piece of content) {
      sum = crc32(piece, sum);
      yield piece;
    }
    if (sum !== expected) throw new Error(`The checksum of ${JSON.stringify(fileName)} is wrong`);
  };
}

async function writeEntry(zip: ZipFile, entry: Entry, folder: string, budget: UnpackBudget): Promise<void> {
  const { fileName, uncompressedSize, externalFileAttributes } = entry;
  const path = budget.pathFor(fileName, folder);
  const type = (externalFileAttributes >>> 16) & typeBits;
  if (path === null) return;
  if (fileName.endsWith("/")) {
    await mkdir(path, { recursive: true });
    return;
  }
  // Archives that were made on Windows have no type.
  if (type !== 0 && type !== regularFile && type !== folderType)
    throw refused(`${JSON.stringify(fileName)} is a link or not a regular file.`);
  budget.takeBytes(uncompressedSize);
  await mkdir(dirname(path), { recursive: true });
  const file = createWriteStream(path, { flags: "wx", mode: 0o644 });
  await pipeline(await contentOf(zip, entry), checked(entry), file);
}

/** The next entry; null after the last one. */
function nextEntry(zip: ZipFile): Promise<Entry | null> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => () => {
      zip.removeAllListeners("entry").removeAllListeners("end").removeAllListeners("error");
      act();
    };
    zip.once("entry", (entry: Entry) => settle(() => resolve(entry))());
    zip.once(
      "end",
      settle(() => resolve(null)),
    );
    zip.once("error", (error: Error) => settle(() => reject(error))());
    zip.readEntry();
  });
}

/** Unpacks a zip into a folder. Rejects with AdministrationError `archive_refused`. */
export async function unpackZip(file: string, folder: string, budget: UnpackBudget): Promise<void> {
  const zip = await opened(file);
  try {
    for (let entry = await nextEntry(zip); entry !== null; entry = await nextEntry(zip))
      await writeEntry(zip, entry, folder, budget);
  } finally {
    zip.close();
  }
}
