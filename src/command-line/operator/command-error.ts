/** A command that cannot be done, with the reason in words for the operator. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}
