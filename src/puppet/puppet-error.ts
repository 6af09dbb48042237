/** What went wrong: the file is not a character, or a canvas or name that was asked for does not exist. */
export type PuppetErrorCode = "INVALID_CHARACTER" | "UNKNOWN_REFERENCE" | "NO_CANVAS";

/**
 * The one error of the puppet. `path` says where in the character file, as `layers[3].paths[0].d`; it is empty when the
 * failure is not about a place in a file.
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

  /** The file breaks the character format at `path`. */
  static invalid(path: string, message: string): PuppetError {
    return new PuppetError("INVALID_CHARACTER", path, message);
  }
}
