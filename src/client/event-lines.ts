/**
 * The `data:` payloads of a stream of Server-Sent Events. Each event of ours is one line, so reading line by line takes
 * both framings: events parted by a blank line, and by a single line break (wire conventions, Language model stream).
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
    // Reached too when the consumer leaves early: nothing more is to be downloaded.
    reader.cancel().catch(() => undefined);
  }
}
