import { dirname, join } from "node:path";
import { AdministrationError } from "../administration-error.ts";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import unbzip2Stream from "unbzip2-stream";
import type { Readable } from "node:stream";
import { crc32 } from "node:zlib";
import { type Entry, open as openZip, type ZipFile } from "yauzl";
import { errorMessage } from "../../faults/error-message.ts";

/** What an archive may contain. */
interface UnpackLimits {
  /** Bytes of all files together. */
  bytes: number;
  /** Files and folders. */
  entries: number;
  /** The most bytes that 64 kB of the archive may become: a block of bzip2 has at most 900 kB, except for repeated bytes. */
  burst: number;
}

/** More than any published model needs. */
const modelLimits: UnpackLimits = { bytes: 6 * 1024 ** 3, entries: 20_000, burst: 256 * 1024 ** 2 };

/** An archive that is not unpacked. */
function refused(reason: string, cause?: unknown): AdministrationError {
  return new AdministrationError("archive_refused", `The archive is not unpacked: ${reason}`, { cause });
}

/** Counts what an archive contains, and decides where it may be written. Every method throws `archive_refused`. */
class UnpackBudget {
  readonly #limits: UnpackLimits;
  #bytes = 0;
  #entries = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** Checks how much a small part of the archive has become. */
  checkBurst(count: number): void {
    if (count > this.#limits.burst) throw refused("a small part of it would become very large.");
  }

  takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.#limits.bytes)
      throw refused(`its files have more than ${this.#limits.bytes} bytes together.`);
  }

  /** Counts an entry. Returns its path in `folder`; null for the folder itself. */
  pathFor(name: string, folder: string): string | null {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries)
      throw refused(`it has more than ${this.#limits.entries} files and folders.`);
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (name.startsWith("/") || /[\\:\p{Cc}]/u.test(name) || parts.includes(".."))
      throw refused(`${JSON.stringify(name)} would be outside of its folder.`);
    return parts.length === 0 ? null : join(folder, ...parts);
  }
}

/** How much input is decompressed before its output is written. */
const pieceBytes = 64 * 1024;

/** Decompresses bzip2. Its output waits for its reader, so memory holds only what one piece of input became. */
async function* decompressed(file: string, budget: UnpackBudget): AsyncGenerator<Uint8Array> {
  const bzip2 = unbzip2Stream();
  let ready: Uint8Array[] = [];
  let burst = 0;
  let failure: Error | undefined;
  bzip2.on("error", (error: unknown) => {
    failure ??= error instanceof Error ? error : new Error(String(error));
  });
  // What this throws reaches the decompressor, which stops and reports it as its error.
  bzip2.on("data", (piece: Buffer) => {
    burst += piece.length;
    budget.checkBurst(burst);
    budget.takeBytes(piece.length);
    ready.push(piece);
  });
  const taken = (): Uint8Array[] => {
    if (failure !== undefined) throw failure;
    const pieces = ready;
    ready = [];
    burst = 0;
    return pieces;
  };
  for await (const piece of createReadStream(file, { highWaterMark: pieceBytes })) {
    bzip2.write(piece);
    yield* taken();
  }
  bzip2.end();
  yield* taken();
}

/** The pieces as a stream, which takes the next one when its reader has taken the last one. */
function streamOf(pieces: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await pieces.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await pieces.return(undefined);
    },
  });
}

async function writeTarEntry(
  { header, body }: ParsedTarEntry,
  folder: string,
  budget: UnpackBudget,
): Promise<void> {
  const path = budget.pathFor(header.name, folder);
  if (header.type === "directory" || path === null) {
    if (path !== null) await mkdir(path, { recursive: true });
    await body.cancel();
    return;
  }
  if (header.type !== "file")
    throw refused(`${JSON.stringify(header.name)} is a link or not a regular file.`);
  await mkdir(dirname(path), { recursive: true });
  // Two entries with one name: the second must not write into the first. It is refused before anything flows, since a stream that fails
  // as it opens leaves a rejection that nobody handles.
  const target = await open(path, "wx", 0o644);
  await pipeline(body, target.createWriteStream());
}

/** Unpacks a tar.bz2 into a folder. Rejects with AdministrationError `archive_refused`. */
async function unpackTarBzip2(file: string, folder: string, budget: UnpackBudget): Promise<void> {
  const tar = streamOf(decompressed(file, budget));
  const entries = tar.pipeThrough(createTarDecoder({ strict: true }));
  for await (const entry of entries) await writeTarEntry(entry, folder, budget);
}

const typeBits = 0o170000;
const regularFile = 0o100000;
const folderType = 0o040000;

function opened(file: string): Promise<ZipFile> {
  return new Promise((resolve, reject) => {
    // Every size is checked against what the archive's directory says, which is checked against the limits first.
    const options = { lazyEntries: true, autoClose: false, validateEntrySizes: true };
    openZip(file, options, (error, zip) => (error ? reject(error) : resolve(zip)));
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

async function writeZipEntry(
  zip: ZipFile,
  entry: Entry,
  folder: string,
  budget: UnpackBudget,
): Promise<void> {
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
async function unpackZip(file: string, folder: string, budget: UnpackBudget): Promise<void> {
  const zip = await opened(file);
  try {
    for (let entry = await nextEntry(zip); entry !== null; entry = await nextEntry(zip))
      await writeZipEntry(zip, entry, folder, budget);
  } finally {
    zip.close();
  }
}

/** The formats of model files, by their first bytes. A model that is a single file is not an archive. */
type FileFormat = "tar.bz2" | "zip" | "single file";

/** The format of a file. Its name does not matter. */
export async function formatOf(file: string): Promise<FileFormat> {
  const handle = await open(file, "r");
  try {
    const { buffer } = await handle.read(Buffer.alloc(4), 0, 4, 0);
    const start = buffer.toString("latin1");
    if (start.startsWith("BZh")) return "tar.bz2";
    return start === "PK\x03\x04" ? "zip" : "single file";
  } finally {
    await handle.close();
  }
}

/**
 * Unpacks an archive into a folder: files and folders only, none outside of it, and no more than the limits allow. Rejects with
 * AdministrationError `archive_refused`; the folder may then contain a part of the files.
 */
export async function unpackArchive(
  file: string,
  folder: string,
  format: Exclude<FileFormat, "single file">,
  limits: UnpackLimits = modelLimits,
): Promise<void> {
  const budget = new UnpackBudget(limits);
  try {
    await (format === "zip" ? unpackZip : unpackTarBzip2)(file, folder, budget);
  } catch (error) {
    if (error instanceof AdministrationError) throw error;
    const reason = errorMessage(error);
    throw refused(`${reason.replace(/\.$/, "")}. The file may be damaged; download it again.`, error);
  }
}
