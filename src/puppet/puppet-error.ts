/** What went wrong: the file is not a valid character, or a requested canvas or name does not exist. */
export type PuppetErrorCode = "INVALID_CHARACTER" | "UNKNOWN_REFERENCE" | "NO_CANVAS";

/**
 * The only error class of the puppet. `path` is the place in the character file, such as `layers[3].paths[0].d`. It is
 * empty when the error does not concern a file.
 */
export class PuppetError extends Error {
  override readonly name = "PuppetError";

  constructor(
    readonly code: PuppetErrorCode,
    readonly path: string,
    message: string,
  ) {
    super(path === "" ? message : `${path}: ${message}`);
  }

  /** The file violates the character format at `path`. */
  static invalid(path: string, message: string): PuppetError {
    return new PuppetError("INVALID_CHARACTER", path, message);
  }
}
