/** Makes an Error of a thrown value. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error
    ? thrown
    : new Error("The database threw a value that is not an error.", { cause: thrown });
}
