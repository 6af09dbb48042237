import { errorMessage } from "../service/error-message.ts";

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

/** Why a command cannot work with the data folder or the port, and what to do; for all other errors, what they say. */
export function startFailure(error: unknown): string {
  const message = errorMessage(error);
  const remedy = isSystemError(error) ? remedyOf(error) : null;
  return remedy === null ? message : `${message}. ${remedy}`;
}
