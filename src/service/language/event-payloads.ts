import { EngineError } from "./engine-error.ts";

/** No engine writes longer lines; a line that never ends would fill the memory. */
const lineMaxCharacters = 1_048_576;

const fieldName = "data:";

function payloadOf(line: string): string | null {
  return line.startsWith(fieldName) ? line.slice(fieldName.length).trim() : null;
}

/**
 * The `data:` payloads of a stream of Server-Sent Events (WHATWG HTML, Server-sent events), where each event has one such
 * line: both framings of the wire conventions are taken. Comments and other fields are passed over.
 *
 * @throws EngineError not_understood on a line without end.
 */
export async function* eventPayloads(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const chunk of chunks) {
    rest += decoder.decode(chunk, { stream: true });
    // A carriage return at the very end may be the first half of a line end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    if (rest.length > lineMaxCharacters) throw new EngineError("not_understood");
    for (const line of lines) {
      const payload = payloadOf(line);
      if (payload !== null) yield payload;
    }
  }
  const last = payloadOf(rest + decoder.decode());
  if (last !== null) yield last;
}
