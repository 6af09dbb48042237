/** The bytes of events as they come: each as a `data:` line, and a comment for null, as a sign of life. */
export function eventStream(
  events: AsyncGenerator<object | null, void>,
  abort: AbortController,
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await events.next();
      if (done === true) controller.close();
      else
        controller.enqueue(encoder.encode(value === null ? ": \n\n" : `data: ${JSON.stringify(value)}\n\n`));
    },
    cancel() {
      abort.abort();
      events.return(undefined).catch(() => undefined);
    },
  });
}

/** The headers of such an answer: proxies that buffer or pack it would hold events back. */
export const eventStreamHeaders = {
  "Cache-Control": "no-cache, no-transform",
  "X-Accel-Buffering": "no",
};
