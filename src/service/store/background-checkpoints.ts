import Database from "libsql/promise";

const intervalMs = 1_000;

/** How long it waits for other processes and for readers; where that does not do, it is tried again. */
const busyTimeoutMs = 50;

/** Under constant writing the log is never wholly behind; from this many pages (128 MB) on, writing rests for it once. */
const longestLogPages = 32_768;

/** What the package's declarations leave open: one row, `log` being the pages in the log. */
interface CheckpointStatement {
  all(parameters: readonly unknown[]): Promise<{ log: number }[]>;
}

/** Moves what was written from the write-ahead log into the database. */
export interface BackgroundCheckpoints {
  /** Resolves when nothing of it runs any more. */
  stop(): Promise<void>;
}

/**
 * Empties the write-ahead log of a database regularly, on a connection and a thread of its own: it waits for the disk, and
 * a connection that does it beside its commits would make requests wait as well.
 */
export function startBackgroundCheckpoints(
  file: string,
  whileWritingRests: (work: () => Promise<unknown>) => Promise<void>,
): BackgroundCheckpoints {
  let connection: Promise<Database> | undefined;
  let running: Promise<void> | undefined;

  async function checkpoint(mode: "passive" | "restart"): Promise<number> {
    const database = await (connection ??= openConnection(file));
    const prepared = database.prepare(`pragma wal_checkpoint(${mode})`) as Promise<CheckpointStatement>;
    const [result] = await (await prepared).all([]);
    return result?.log ?? 0;
  }

  async function run(): Promise<void> {
    try {
      // Most of it is moved beside the writing, and the rest waits for nobody: whoever waits here keeps everybody waiting.
      if ((await checkpoint("passive")) > longestLogPages)
        await whileWritingRests(() => checkpoint("restart"));
    } catch {
      // Tried again in a second. Should it never succeed, commits move the log themselves.
    } finally {
      running = undefined;
    }
  }

  const timer = setInterval(() => (running ??= run()), intervalMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      (await connection)?.close();
    },
  };
}

async function openConnection(file: string): Promise<Database> {
  const database = new Database(file, {});
  await database.exec(`pragma busy_timeout = ${busyTimeoutMs}`);
  return database;
}
