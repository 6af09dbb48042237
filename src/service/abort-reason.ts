/** Why a signal was aborted, as an error: any other reason becomes the cause of one. */
export function abortReason(signal: AbortSignal): Error {
  const reason: unknown = signal.reason;
  return reason instanceof Error ? reason : new Error("This was cancelled.", { cause: reason });
}
