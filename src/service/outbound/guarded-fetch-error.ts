/** Why an outbound call failed before its response was complete. */
export type GuardedFetchCode =
  | "invalid_url"
  | "insecure_url"
  | "forbidden_address"
  | "not_resolved"
  | "unreachable"
  | "certificate"
  | "too_many_redirects"
  | "timeout"
  | "too_large";

/** Codes of OpenSSL and Node.js for certificates that are not valid. */
export const certificateCodes = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY|ERR_TLS/;

/** A call to a configured address that could not be made or completed. The message contains no address. */
export class GuardedFetchError extends Error {
  readonly code: GuardedFetchCode;

  constructor(code: GuardedFetchCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = "GuardedFetchError";
    this.code = code;
  }
}
