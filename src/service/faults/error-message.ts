/** What an error says. Anything may be thrown, so any other value is shown as text. */
export function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Why a signal was aborted, as an error: any other reason becomes the cause of one. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("This was cancelled.", { cause: reason });
}
