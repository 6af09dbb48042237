import { EngineError } from "./engine-error.ts";

/** No engine writes longer events. Without this limit, an endless one would fill the memory. */
const eventMaxCharacters = 1_048_576;

/** What may be parsed of one event, in characters: where each of its lines could be the last one, all before it is parsed again. */
const triedMaxCharacters = 4 * eventMaxCharacters;

const endMark = "[DONE]";

/** What one event of a stream says. */
export interface EnginePayload {
  /** The event's name; null if it has none. */
  event: string | null;
  /** The value of its JSON; other data, such as an end mark, is text. */
  value: unknown;
}

function parsed(text: string): { value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/**
 * Reads lines as servers write them: events of one line without the blank line after it, a JSON text over several lines, and JSON
 * without any event around it.
 */
class PayloadReader {
  #event: string | null = null;
  #data = "";
  #triedCharacters = 0;

  /** The payload that a line completes, if it does. */
  line(line: string): EnginePayload | null {
    if (line === "") return this.end();
    const colon = line.indexOf(":");
    if (colon === 0) return null;
    const field = colon === -1 ? line : line.slice(0, colon);
    if (field === "id" || field === "retry") return null;
    const value = line.slice(colon + 1);
    if (field === "event") this.#event = value.trim();
    else return this.#add(field === "data" ? value.replace(/^ /, "") : line);
    return null;
  }

  /** What is left at the end of an event, complete or not. */
  end(): EnginePayload | null {
    const text = this.#data.trim();
    return text === "" ? this.#done(null) : this.#done(parsed(text) ?? { value: text });
  }

  #add(line: string): EnginePayload | null {
    const isContinued = this.#data !== "" && /^\s/.test(line);
    const alone = !isContinued && /^[[{]/.test(line) ? parsed(line) : null;
    if (alone) return this.#done(alone);
    this.#data += `${line}\n`;
    if (this.#data.length > eventMaxCharacters) throw new EngineError("not_understood");
    // The last line of an indented JSON text, or the mark that a stream ends.
    const whole = /^[\]}]/.test(line) ? this.#whole() : null;
    if (whole) return this.#done(whole);
    return line.trim() === endMark && this.#data.trim() === endMark ? this.end() : null;
  }

  #whole(): { value: unknown } | null {
    this.#triedCharacters += this.#data.length;
    if (this.#triedCharacters > triedMaxCharacters) throw new EngineError("not_understood");
    return parsed(this.#data);
  }

  #done(read: { value: unknown } | null): EnginePayload | null {
    const event = this.#event;
    this.#event = null;
    this.#data = "";
    this.#triedCharacters = 0;
    return read && { event, value: read.value };
  }
}

/** Divides text that arrives in parts into lines. */
class Lines {
  #rest = "";

  /** The lines that are now complete. */
  add(text: string): string[] {
    this.#rest += text;
    if (!/[\r\n]/.test(text)) {
      if (this.#rest.length > eventMaxCharacters) throw new EngineError("not_understood");
      return [];
    }
    // The line feed of the last line's end may still be on its way.
    const end = this.#rest.endsWith("\r") ? this.#rest.length - 1 : this.#rest.length;
    const lines = this.#rest.slice(0, end).split(/\r\n|\n|\r/);
    this.#rest = (lines.pop() ?? "") + this.#rest.slice(end);
    return lines;
  }

  end(): string {
    return this.#rest.replace(/\r$/, "");
  }
}

/**
 * The payloads of an engine's answer, those that arrived together in one list: Server-Sent Events, lines of JSON, or one JSON text.
 *
 * @throws EngineError not_understood for an event that is too long.
 */
export async function* eventPayloads(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<EnginePayload[]> {
  const decoder = new TextDecoder();
  const lines = new Lines();
  const reader = new PayloadReader();
  const read = (complete: readonly string[]): EnginePayload[] =>
    complete.flatMap((line) => reader.line(line) ?? []);
  for await (const chunk of chunks) {
    const payloads = read(lines.add(decoder.decode(chunk, { stream: true })));
    if (payloads.length > 0) yield payloads;
  }
  const payloads = read([...lines.add(decoder.decode()), lines.end(), ""]);
  if (payloads.length > 0) yield payloads;
}
