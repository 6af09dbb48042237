import Database from "libsql/promise";

const intervalMs = 1_000;

/** How long a checkpoint waits for other processes and for readers. After that it is tried again. */
const busyTimeoutMs = 50;

/** Under constant load a checkpoint never reaches the end of the log. From this size on (128 MB), writes pause for one. */
const maxLogPages = 32_768;

/** The package has no type for this: one row, where `log` is the number of pages in the log, and `busy` is 1 if it could not be
 * finished. */
interface CheckpointStatement {
  all(parameters: readonly unknown[]): Promise<{ log: number; busy: number }[]>;
}

/** Moves the contents of the write-ahead log into the database. */
export interface BackgroundCheckpoints {
  /** Empties the log, while no other connection reads. Resolves with whether that was possible. Called while writes pause. */
  truncate(): Promise<boolean>;
  /** Stops; resolves when the running checkpoint has ended. */
  stop(): Promise<void>;
}

/**
 * Checkpoints the write-ahead log of a database regularly, on a connection with its own thread. A checkpoint waits for the
 * disk; on the writing connection, requests would wait with it.
 */
export function startBackgroundCheckpoints(
  file: string,
  whileWritesPause: (work: () => Promise<unknown>) => Promise<void>,
): BackgroundCheckpoints {
  let connection: Promise<Database> | undefined;
  let running: Promise<void> | undefined;

  async function checkpoint(mode: "passive" | "restart" | "truncate") {
    const database = await (connection ??= openConnection(file));
    // eslint-disable-next-line no-restricted-syntax -- the package has no type for it
    const prepared = database.prepare(`pragma wal_checkpoint(${mode})`) as Promise<CheckpointStatement>;
    const [result] = await (await prepared).all([]);
    return result ?? { log: 0, busy: 1 };
  }

  async function run(): Promise<void> {
    try {
      // A passive checkpoint does not block writes.
      if ((await checkpoint("passive")).log > maxLogPages)
        await whileWritesPause(() => checkpoint("restart"));
    } catch {
      // Tried again in a second. If it never succeeds, commits move the log.
    } finally {
      running = undefined;
    }
  }

  const timer = setInterval(() => (running ??= run()), intervalMs).unref();
  return {
    async truncate() {
      await running;
      return (await checkpoint("truncate")).busy === 0;
    },
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
