import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";

/** Why nothing can be stored in a folder. */
export type StorageErrorCode = "disk_full" | "read_only";

/** Instead of a folder, where the data is in Postgres: where that keeps it is its own affair. */
export const theDatabase = "the database";

const wordsOf: Record<StorageErrorCode, (place: string) => string> = {
  disk_full: (place) => `The disk of ${place} is full.`,
  read_only: (place) => `Nothing may be written into ${place}.`,
};

/**
 * A folder or the database takes no more data. The message names it, for the log and the command line: visitors get a message without
 * it.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";

  constructor(
    readonly code: StorageErrorCode,
    /** The folder, or `theDatabase`. */
    readonly place: string,
    cause: unknown,
  ) {
    super(wordsOf[code](place), { cause });
  }
}

/** Codes of the system, of SQLite and of Postgres: disk_full, read_only_sql_transaction. */
const codes: readonly [RegExp, StorageErrorCode][] = [
  [/^(?:ENOSPC|EDQUOT|SQLITE_FULL|53100)$/, "disk_full"],
  [/^(?:EROFS|EACCES|EPERM|SQLITE_READONLY\w*|25006)$/, "read_only"],
];

/** The same error, as a StorageError if it says that the folder or the database takes no more data. */
export function storageError(error: unknown, place: string): unknown {
  if (!(error instanceof Error) || !("code" in error) || error instanceof StorageError) return error;
  const found = codes.find(([pattern]) => pattern.test(String(error.code)));
  return found ? new StorageError(found[1], place, error) : error;
}

/** As much as a few rows take in the write-ahead log. */
const triedBytes = 64 * 1024;

/** Throws a StorageError if the folder takes no more data. What is written for it has no name, so that a crash leaves nothing. */
export function tryFolder(folder: string): void {
  const file = join(folder, `.try-${process.pid}`);
  try {
    const opened = openSync(file, "w", 0o600);
    try {
      unlinkSync(file);
      const written = writeSync(opened, new Uint8Array(triedBytes));
      // A disk that is nearly full takes a part.
      if (written < triedBytes) throw new StorageError("disk_full", folder, undefined);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    throw storageError(error, folder);
  }
}
