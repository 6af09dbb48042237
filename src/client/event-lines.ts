/**
 * The `data:` payloads of a stream of Server-Sent Events. Each of our events is one line, so reading line by line accepts
 * both framings: events separated by a blank line or by a single line break (wire conventions, Language model stream).
 */
export async function* readEventLines(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += decoder.decode(value, { stream: !done });
      const lines = rest.split(/\r\n|\n|\r(?!$)/);
      rest = done ? "" : (lines.pop() ?? "");
      for (const line of lines) if (line.startsWith("data:")) yield line.slice(5).trim();
      if (done) return;
    }
  } finally {
    // This also runs when the consumer stops early: the rest must not be downloaded.
    reader.cancel().catch(() => undefined);
  }
}
