import { errorMessage } from "../service/faults/error-message.ts";
import { StorageError, type StorageErrorCode, theDatabase } from "../service/faults/storage-error.ts";

/** The used part of `process.stdout` and `process.stderr`. */
interface Output {
  on(event: "error", listener: (error: Error) => void): unknown;
}

/** Codes of writes after the reader has gone. */
const goneCodes = new Set<unknown>(["EPIPE", "ERR_STREAM_DESTROYED"]);

/**
 * Goes on without a reader: `visavis model list | head -1` closes the pipe early, and a server must not end with the program that
 * read its log. Whoever cannot write for another reason, such as a full disk, ends with that reason.
 */
export function tolerateGoneReaders(outputs: readonly Output[], fail: (reason: string) => void): void {
  for (const output of outputs)
    output.on("error", (error) => {
      if (!("code" in error && goneCodes.has(error.code)))
        fail(`The output cannot be written: ${errorMessage(error)}`);
    });
}

/** What to do about an error of the operating system, by what failed. */
interface SystemError {
  code: string;
  syscall: string;
}

function isSystemError(error: unknown): error is Error & SystemError {
  return (
    error instanceof Error &&
    "code" in error &&
    typeof error.code === "string" &&
    "syscall" in error &&
    typeof error.syscall === "string"
  );
}

const freePort = "Set PORT to a free port.";
const highPort = "Set PORT to 1024 or more.";
const writableFolder = "Set VISAVIS_DATA to a folder that this user may read and write.";

const unusableFolder = new Set(["EACCES", "EPERM", "EROFS", "EEXIST", "ENOTDIR"]);

function remedyOf({ code, syscall }: SystemError): string | null {
  if (syscall === "listen") return code === "EADDRINUSE" ? freePort : code === "EACCES" ? highPort : null;
  return unusableFolder.has(code) && ["mkdir", "open"].includes(syscall) ? writableFolder : null;
}

const remedies = {
  disk_full: "Make room there, or set VISAVIS_DATA to a folder on another disk.",
  read_only: writableFolder,
} as const satisfies Record<StorageErrorCode, string>;

const databaseRemedies = {
  disk_full: "Make room there.",
  read_only: "Set DATABASE_URL to a database that takes changes.",
} as const satisfies Record<StorageErrorCode, string>;

/** Why a command cannot work with the data folder or the port, and what to do; for all other errors, what they say. */
export function startFailure(error: unknown): string {
  if (error instanceof StorageError)
    return `${error.message} ${(error.place === theDatabase ? databaseRemedies : remedies)[error.code]}`;
  const message = errorMessage(error);
  const remedy = isSystemError(error) ? remedyOf(error) : null;
  return remedy === null ? message : `${message}. ${remedy}`;
}
