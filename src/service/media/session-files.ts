import { randomUUID } from "node:crypto";

/** Limits for the uploads of one session. */
const keptMaxFiles = 16;
const keptMaxBytes = 20 * 1024 * 1024;

interface KeptFile {
  bytes: Uint8Array;
  /** How many waiting utterances need it. */
  users: number;
}

/** A file in use: it is kept until it is released. */
export interface HeldFile {
  bytes: Uint8Array;
  release(): void;
}

/** The files that a session's client uploaded. When there are too many, the least recently used are dropped first. */
export class SessionFiles {
  /** In the order they were uploaded or last used. */
  readonly #files = new Map<string, KeptFile>();

  /** Stores a file. Returns its reference, or undefined while files that still have to be played take all the room. */
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

  /** The file of a reference, which the caller must release once; undefined if it does not exist. */
  hold(reference: string): HeldFile | undefined {
    const file = this.#files.get(reference);
    if (!file) return undefined;
    this.#files.delete(reference);
    this.#files.set(reference, file);
    file.users++;
    return { bytes: file.bytes, release: () => (file.users -= 1) };
  }

  /** Drops all files. */
  clear(): void {
    this.#files.clear();
  }

  #hasRoomFor(bytes: Uint8Array): boolean {
    const taken = [...this.#files.values()].reduce((sum, file) => sum + file.bytes.length, 0);
    return this.#files.size < keptMaxFiles && taken + bytes.length <= keptMaxBytes;
  }
}
