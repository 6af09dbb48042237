import { createParser } from "eventsource-parser";
import { EngineError } from "./engine-error.ts";

/** No engine writes longer events. Without this limit, an endless one would fill the memory. */
const eventMaxCharacters = 1_048_576;

/**
 * The `data:` payloads of a stream of Server-Sent Events. Every event of an engine is one line, and some servers write no blank
 * line after it. So every line end is doubled before parsing, which makes each line a separate event.
 *
 * @throws EngineError not_understood for an event that is too long.
 */
export async function* eventPayloads(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  const payloads: string[] = [];
  const parser = createParser({
    maxBufferSize: eventMaxCharacters,
    onEvent: ({ data }) => payloads.push(data.trim()),
    onError(error) {
      if (error.type === "max-buffer-size-exceeded") throw new EngineError("not_understood");
    },
  });
  const feed = (text: string): void => parser.feed(text.replace(/[\r\n]/g, "$&$&"));
  for await (const chunk of chunks) {
    feed(decoder.decode(chunk, { stream: true }));
    yield* payloads.splice(0);
  }
  feed(`${decoder.decode()}\n`);
  yield* payloads.splice(0);
}
