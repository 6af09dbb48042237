/** A file whose text cannot be read. The message says why, and what to do, to the operator. */
export class FileProblem extends Error {
  override readonly name = "FileProblem";
}
