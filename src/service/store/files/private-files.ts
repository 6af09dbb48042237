import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";

const sticky = 0o1000;

/**
 * Makes a file or folder readable by its owner only. Skips missing files, and folders that users share on purpose (with the
 * sticky bit, such as /tmp). Returns whether no other user can read it.
 */
export function makePrivate(path: string): boolean {
  if (!existsSync(path)) return true;
  const stats = statSync(path);
  const mode = stats.isDirectory() ? 0o700 : 0o600;
  if ((stats.mode & 0o777) === mode) return true;
  if (stats.isDirectory() && (stats.mode & sticky) !== 0) return false;
  try {
    chmodSync(path, mode);
    return true;
  } catch {
    // A mounted volume may have another owner, or not support modes.
    return (stats.mode & 0o077) === 0;
  }
}

/** Creates a file that only its owner can read, if it does not exist. Whatever opens it later keeps the mode. */
export function touchPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  makePrivate(file);
}
