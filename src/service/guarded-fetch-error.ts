/** Why an outbound call failed before it had its whole answer. */
export type GuardedFetchCode =
  | "invalid_url"
  | "insecure_url"
  | "forbidden_address"
  | "not_resolved"
  | "unreachable"
  | "too_many_redirects"
  | "timeout"
  | "too_large";

/** A call to an address that somebody configured could not be made or not be finished. The message names no address. */
export class GuardedFetchError extends Error {
  readonly code: GuardedFetchCode;

  constructor(code: GuardedFetchCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GuardedFetchError";
    this.code = code;
  }
}
