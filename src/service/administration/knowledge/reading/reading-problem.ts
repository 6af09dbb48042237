/** A text that cannot be read. The message says why, and what to do, to the operator. */
export class ReadingProblem extends Error {
  override readonly name = "ReadingProblem";
}
