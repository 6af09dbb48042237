import type { ReadingJob, ReadingJobs, ReadingKind, ReadingOutcome, Unread } from "./reading-jobs.ts";
import { ReadingThread, type ThreadLimits } from "./reading-thread.ts";

/** Reads what strangers wrote: files, pages of websites, and what these say about themselves. */
export interface TextReader {
  /** What was read, or why nothing was. */
  read<Kind extends ReadingKind>(
    kind: Kind,
    given: ReadingJobs[Kind]["given"],
  ): Promise<ReadingOutcome<Kind>>;
  /** Ends what is being read. */
  close(): Promise<void>;
}

interface TextReaderOptions extends Omit<ThreadLimits, "memoryMb"> {
  memoryMb?: number;
  /** How long a job may take, in ms. Default: by its kind. */
  timeoutMs?: number;
  /** How many files may wait. */
  maxWaiting?: number;
}

/** How long a job may take once its libraries are loaded, in ms. A page of 5 MB takes 0.2 s; the libraries for files are slower. */
const timesMs: Readonly<Record<ReadingKind, number>> = {
  pdf: 60_000,
  docx: 60_000,
  html: 10_000,
  page: 10_000,
  sitemap: 10_000,
  robots: 5_000,
};
/** The libraries that read these need memory that nothing else should keep, so the thread ends with them. */
const heavy: ReadonlySet<ReadingKind> = new Set(["pdf", "docx"]);
/** Pages of websites wait for each other and are few, so only files are limited. */
const files: ReadonlySet<ReadingKind> = new Set(["pdf", "docx", "html"]);

/** How long an idle thread is kept, in ms. */
const idleMs = 10_000;

const refused = (problem: string): Unread => ({ problem, isStopped: false });
const busy = refused("Too many files are being read now; try again in a minute.");
const closed = refused("The server is stopping; try again in a minute.");

/**
 * Reads one text after the other in a thread, with a limit in time and memory: what strangers wrote may be made to cost more than
 * its size says, and nobody else waits for it.
 */
export function createTextReader({
  timeoutMs,
  maxWaiting = 20,
  memoryMb = 256,
  ...limits
}: TextReaderOptions): TextReader {
  let waiting = 0;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  let thread: ReadingThread | null = null;
  let idle: NodeJS.Timeout | undefined;

  async function readNow<Kind extends ReadingKind>(job: ReadingJob<Kind>): Promise<ReadingOutcome<Kind>> {
    if (isClosed) return closed;
    clearTimeout(idle);
    const used = thread === null || thread.isOver ? new ReadingThread({ ...limits, memoryMb }) : thread;
    thread = used;
    const outcome = await used.run(job, timeoutMs ?? timesMs[job.kind]);
    if (heavy.has(job.kind)) await used.end();
    else idle = setTimeout(() => void used.end(), idleMs).unref();
    return outcome;
  }

  return {
    async read(kind, given) {
      const isFile = files.has(kind);
      if (isFile && waiting >= maxWaiting) return busy;
      if (isFile) waiting += 1;
      const reading = last.then(() => readNow({ kind, given }));
      last = reading;
      const outcome = await reading;
      if (isFile) waiting -= 1;
      return isClosed && "isStopped" in outcome ? closed : outcome;
    },
    async close() {
      isClosed = true;
      clearTimeout(idle);
      await thread?.end();
    },
  };
}
