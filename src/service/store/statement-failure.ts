import type { Answer } from "./queries.ts";

/** The database refused one of several statements that were sent together. Its own error is the cause. */
export class StatementFailure extends Error {
  override readonly name = "StatementFailure";
  /** What those before it did; as many as its own place among them. */
  readonly answers: readonly Answer<unknown>[];

  constructor(answers: readonly Answer<unknown>[], cause: unknown) {
    super("The database refused a statement.", { cause });
    this.answers = answers;
  }
}

/**
 * What another attempt may not meet again: transactions that stood in each other's way (serialization_failure,
 * deadlock_detected), and a prepared statement that is older than its table (feature_not_supported).
 */
const passingCodes: ReadonlySet<unknown> = new Set(["40001", "40P01", "0A000"]);

/** Whether the same may be tried again. */
export function isPassing(error: unknown): boolean {
  return error instanceof Error && "code" in error && passingCodes.has(error.code);
}
