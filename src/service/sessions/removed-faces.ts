import type { PublicFiles } from "./public-files.ts";

/** How often the store is asked, in ms. */
const everyMs = 3_000;

/** Finds the sessions of this process whose face was removed: a person has withdrawn consent, and must not be seen any longer. */
export class RemovedFaces {
  readonly #files: Pick<PublicFiles, "removedCharacters">;
  readonly #nowMs: () => number;
  /** The characters' paths, by session. */
  readonly #shown = new Map<string, string>();
  #askedMs = -Infinity;

  constructor(files: Pick<PublicFiles, "removedCharacters">, nowMs: () => number) {
    this.#files = files;
    this.#nowMs = nowMs;
  }

  /** The same files for one session: the character that it asks for last is the one that it shows. */
  of(sessionId: string, files: PublicFiles): PublicFiles {
    return {
      ...files,
      characterFile: async (style) => {
        const file = await files.characterFile(style);
        if (file !== null) this.#shown.set(sessionId, file);
        return file;
      },
    };
  }

  ended(sessionId: string): void {
    this.#shown.delete(sessionId);
  }

  /** The sessions that show a character that was removed. */
  async find(): Promise<string[]> {
    const nowMs = this.#nowMs();
    if (nowMs - this.#askedMs < everyMs) return [];
    this.#askedMs = nowMs;
    const removed = new Set(await this.#files.removedCharacters());
    if (removed.size === 0) return [];
    return [...this.#shown].filter(([, file]) => removed.has(file)).map(([sessionId]) => sessionId);
  }
}
