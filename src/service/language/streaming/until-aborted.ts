/**
 * The chunks of a body. Throws the signal's reason when it is aborted, and ends the call then, or when its reader stops early.
 *
 * `fetch` does not do it for us: the one of Node 20 forgets its signal at the next collection of garbage, if redirects are refused
 * and the headers have come. The call would go on for as long as the other side holds it.
 */
export async function* untilAborted(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener("abort", stop, { once: true });
  if (signal.aborted) stop();
  try {
    for (;;) {
      const { done, value } = await reader.read();
      signal.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal.removeEventListener("abort", stop);
    stop();
  }
}
