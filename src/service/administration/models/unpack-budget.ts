import { join } from "node:path";
import { AdministrationError } from "../administration-error.ts";

/** What an archive may contain. */
export interface UnpackLimits {
  /** Bytes of all files together. */
  bytes: number;
  /** Files and folders. */
  entries: number;
  /** The most bytes that 64 kB of the archive may become: a block of bzip2 has at most 900 kB, except for repeated bytes. */
  burst: number;
}

/** More than any published model needs. */
export const modelLimits: UnpackLimits = { bytes: 6 * 1024 ** 3, entries: 20_000, burst: 256 * 1024 ** 2 };

/** An archive that is not unpacked. */
export function refused(reason: string, cause?: unknown): AdministrationError {
  return new AdministrationError("archive_refused", `The archive is not unpacked: ${reason}`, { cause });
}

/** Counts what an archive contains, and decides where it may be written. Every method throws `archive_refused`. */
export class UnpackBudget {
  readonly #limits: UnpackLimits;
  #bytes = 0;
  #entries = 0;

  constructor(limits: UnpackLimits) {
    this.#limits = limits;
  }

  /** Checks how much a small part of the archive has become. */
  checkBurst(count: number): void {
    if (count > this.#limits.burst) throw refused("a small part of it would become very large.");
  }

  takeBytes(count: number): void {
    this.#bytes += count;
    if (this.#bytes > this.#limits.bytes)
      throw refused(`its files have more than ${this.#limits.bytes} bytes together.`);
  }

  /** Counts an entry. Returns its path in `folder`; null for the folder itself. */
  pathFor(name: string, folder: string): string | null {
    this.#entries += 1;
    if (this.#entries > this.#limits.entries)
      throw refused(`it has more than ${this.#limits.entries} files and folders.`);
    const parts = name.split("/").filter((part) => part !== "" && part !== ".");
    if (name.startsWith("/") || /[\\:\p{Cc}]/u.test(name) || parts.includes(".."))
      throw refused(`${JSON.stringify(name)} would be outside of its folder.`);
    return parts.length === 0 ? null : join(folder, ...parts);
  }
}
