import { Worker } from "node:worker_threads";
import type { OfficeFile, OfficeFileKind, OfficeFileOutcome } from "./file-worker-messages.ts";

/** Reads PDF and Word documents. */
export interface FileReader {
  /** The text of a file as Markdown, or why there is none. */
  read(kind: OfficeFileKind, bytes: Uint8Array): Promise<OfficeFileOutcome>;
  /** Ends what is being read. */
  close(): Promise<void>;
}

interface FileReaderOptions {
  /** The URL of the built script `file-worker`. */
  workerUrl: URL;
  /** How much memory the process has, in bytes. */
  memoryBytes: () => number;
  /** How long one file may take, in ms. */
  timeoutMs?: number;
  /** How much memory the thread may use for its objects, in MiB, and as much again for unpacked bytes. */
  memoryMb?: number;
  /** How many files may wait. */
  maxWaiting?: number;
}

/** How often the memory is looked at, in ms. */
const watchMs = 50;

const tooLong: OfficeFileOutcome = {
  problem: "Reading the file took too long; divide it into smaller ones.",
};
const tooMuch: OfficeFileOutcome = {
  problem: "The file needs too much memory; divide it into smaller ones.",
};
const busy: OfficeFileOutcome = { problem: "Too many files are being read now; try again in a minute." };
const closed: OfficeFileOutcome = { problem: "The server is stopping; try again in a minute." };

/**
 * Reads one file after the other, each in a thread of its own that ends with it: files come from strangers, and the libraries that
 * read them need memory that nothing else should keep.
 */
export function createFileReader({
  workerUrl,
  memoryBytes,
  timeoutMs = 60_000,
  memoryMb = 256,
  maxWaiting = 20,
}: FileReaderOptions): FileReader {
  let waiting = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let running: Worker | null = null;

  function readNow(file: OfficeFile): Promise<OfficeFileOutcome> {
    if (isClosed) return Promise.resolve(closed);
    return new Promise((resolve) => {
      const maxBytes = memoryBytes() + 2 * memoryMb * 1024 * 1024;
      const worker = new Worker(workerUrl, {
        workerData: file,
        resourceLimits: { maxOldGenerationSizeMb: memoryMb },
        // What a library writes may contain words of the file.
        stdout: true,
        stderr: true,
      });
      running = worker;
      const end = (outcome: OfficeFileOutcome): void => {
        clearTimeout(timer);
        clearInterval(watch);
        if (running === worker) running = null;
        void worker.terminate();
        resolve(outcome);
      };
      const timer = setTimeout(() => end(tooLong), timeoutMs);
      // Node.js does not limit a thread's unpacked bytes, and a small file may unpack to gigabytes.
      const watch = setInterval(() => {
        if (memoryBytes() > maxBytes) end(tooMuch);
      }, watchMs);
      // eslint-disable-next-line no-restricted-syntax -- our own thread answers
      worker.on("message", (outcome) => end(outcome as OfficeFileOutcome));
      worker.on("error", () => end(tooMuch));
      worker.on("exit", () => end(isClosed ? closed : tooMuch));
    });
  }

  return {
    async read(kind, bytes) {
      if (waiting >= maxWaiting) return busy;
      waiting += 1;
      const outcome = last.then(() => readNow({ kind, bytes }));
      last = outcome;
      return outcome.finally(() => (waiting -= 1));
    },
    async close() {
      isClosed = true;
      await running?.terminate();
    },
  };
}
