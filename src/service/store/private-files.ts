import { chmodSync, closeSync, existsSync, openSync, statSync } from "node:fs";

const sticky = 0o1000;

/**
 * Takes a file or folder from everybody but its owner. Leaves alone what is not there and folders that users share on purpose
 * (with the sticky bit, such as /tmp). Resolves with whether nobody else can read it.
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
    // A mounted volume may belong to somebody else, or know no modes.
    return (stats.mode & 0o077) === 0;
  }
}

/** Makes a file for its owner alone, where it is not there: what opens it later keeps its mode. */
export function touchPrivate(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
  makePrivate(file);
}
