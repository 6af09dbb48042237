import { randomUUID } from "node:crypto";

/** Bounds of what one session's uploads may take. */
const keptMaxFiles = 16;
const keptMaxBytes = 20 * 1024 * 1024;

interface KeptFile {
  bytes: Uint8Array;
  /** How many utterances wait to be made from it. */
  users: number;
}

/** A kept file in use: it stays until it is released. */
export interface HeldFile {
  bytes: Uint8Array;
  release(): void;
}

/** The files that a session's client uploaded. When there are too many, those go first that are longest unused. */
export class SessionFiles {
  /** In the order they were uploaded or last used. */
  readonly #files = new Map<string, KeptFile>();

  /** Keeps a file; returns its reference, or undefined while files that are still to be played fill the place. */
  keep(bytes: Uint8Array): string | undefined {
    const unused = [...this.#files].filter(([, { users }]) => users === 0);
    for (const [reference] of unused) {
      if (this.#hasRoomFor(bytes)) break;
      this.#files.delete(reference);
    }
    if (!this.#hasRoomFor(bytes)) return undefined;
    const reference = `file-${randomUUID()}`;
    this.#files.set(reference, { bytes, users: 0 });
    return reference;
  }

  /** The file of a reference, to be released once; undefined where there is none. */
  hold(reference: string): HeldFile | undefined {
    const file = this.#files.get(reference);
    if (!file) return undefined;
    this.#files.delete(reference);
    this.#files.set(reference, file);
    file.users++;
    return { bytes: file.bytes, release: () => (file.users -= 1) };
  }

  /** Drops all. */
  clear(): void {
    this.#files.clear();
  }

  #hasRoomFor(bytes: Uint8Array): boolean {
    const taken = [...this.#files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    return this.#files.size < keptMaxFiles && taken + bytes.length <= keptMaxBytes;
  }
}
