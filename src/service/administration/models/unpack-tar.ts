import { createReadStream, createWriteStream } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { createTarDecoder, type ParsedTarEntry } from "modern-tar";
import unbzip2Stream from "unbzip2-stream";
import { refused, type UnpackBudget } from "./unpack-budget.ts";

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

async function writeEntry(
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
  // Two entries with one name: the second must not write into the first.
  await pipeline(body, createWriteStream(path, { flags: "wx", mode: 0o644 }));
}

/** Unpacks a tar.bz2 into a folder. Rejects with AdministrationError `archive_refused`. */
export async function unpackTarBzip2(file: string, folder: string, budget: UnpackBudget): Promise<void> {
  const tar = streamOf(decompressed(file, budget));
  const entries = tar.pipeThrough(createTarDecoder({ strict: true }));
  for await (const entry of entries) await writeEntry(entry, folder, budget);
}
