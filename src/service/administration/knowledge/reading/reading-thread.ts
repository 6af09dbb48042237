import { Worker } from "node:worker_threads";
import { TimeLimit } from "../../../../timing/time-limit.ts";
import {
  readingBegins,
  type ReadingJob,
  type ReadingKind,
  type ReadingOutcome,
  type Unread,
} from "./reading-jobs.ts";

/** What a thread may use. */
export interface ThreadLimits {
  /** The URL of the built script `reading-worker`. */
  workerUrl: URL;
  /** How much memory the process has, in bytes. */
  memoryBytes: () => number;
  /** How much memory the thread may use for its objects, in MiB, and as much again for unpacked bytes. */
  memoryMb: number;
}

/** How often the memory is looked at, in ms. */
const watchMs = 50;

const stopped = (problem: string): Unread => ({ problem, isStopped: true });
const tooLong = stopped("Reading the file took too long; divide it into smaller ones.");
const tooMuch = stopped("The file needs too much memory; divide it into smaller ones.");

/** A thread that does one job after the other, until one costs too much. */
export class ReadingThread {
  readonly #limits: ThreadLimits;
  readonly #worker: Worker;
  /** It cannot be given another job. */
  isOver = false;

  constructor(limits: ThreadLimits) {
    this.#limits = limits;
    this.#worker = new Worker(limits.workerUrl, {
      resourceLimits: { maxOldGenerationSizeMb: limits.memoryMb },
      // What a library writes may contain words of the text.
      stdout: true,
      stderr: true,
    });
    this.#worker.stdout.resume();
    this.#worker.stderr.resume();
    this.#worker.on("error", () => (this.isOver = true)).on("exit", () => (this.isOver = true));
  }

  /** Does a job that may take so long. */
  run<Kind extends ReadingKind>(job: ReadingJob<Kind>, timeoutMs: number): Promise<ReadingOutcome<Kind>> {
    const worker = this.#worker;
    const { memoryBytes, memoryMb } = this.#limits;
    const maxBytes = memoryBytes() + 2 * memoryMb * 1024 * 1024;
    worker.ref();
    return new Promise((resolve) => {
      let limit: TimeLimit | undefined;
      const done = (outcome: ReadingOutcome<Kind>): void => {
        limit?.end();
        clearInterval(watch);
        worker.off("message", onMessage).off("error", onEnd).off("exit", onEnd);
        worker.unref();
        resolve(outcome);
      };
      const stop = (why: Unread): void => {
        this.isOver = true;
        void worker.terminate();
        done(why);
      };
      const onMessage = (message: unknown): void => {
        // That a thread starts and loads its libraries is not the text's fault.
        if (message === readingBegins) limit = new TimeLimit(timeoutMs, () => stop(tooLong));
        // eslint-disable-next-line no-restricted-syntax -- our own thread answers
        else done(message as ReadingOutcome<Kind>);
      };
      const onEnd = (): void => stop(tooMuch);
      worker.on("message", onMessage).on("error", onEnd).on("exit", onEnd);
      // Node.js does not limit a thread's unpacked bytes, and a small file may unpack to gigabytes.
      const watch = setInterval(() => {
        if (memoryBytes() > maxBytes) stop(tooMuch);
      }, watchMs);
      worker.postMessage(job);
    });
  }

  async end(): Promise<void> {
    this.isOver = true;
    await this.#worker.terminate();
  }
}
