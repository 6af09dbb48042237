import fc from "fast-check";
import { expect, test } from "vitest";
import { readEventLines } from "../../src/client/event-lines.ts";

/** A stream of the text's bytes, cut at the given places. */
function streamOf(text: string, cuts: number[]): ReadableStream<Uint8Array> {
  const bytes = new TextEncoder().encode(text);
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  return new ReadableStream({
    start(controller) {
      let from = 0;
      for (const to of [...places, bytes.length]) {
        controller.enqueue(bytes.slice(from, to));
        from = to;
      }
      controller.close();
    },
  });
}

async function linesOf(text: string, cuts: number[] = []): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of readEventLines(streamOf(text, cuts))) lines.push(line);
  return lines;
}

test("reads events separated by a blank line, by a single line break, and with carriage returns", async () => {
  for (const separator of ["\n\n", "\n", "\r\n\r\n", "\r\n"])
    expect(await linesOf(`data: {"a":1}${separator}data: {"b":2}${separator}`)).toEqual([
      '{"a":1}',
      '{"b":2}',
    ]);
});

test("reads a last event without a final line break, and skips lines that are not data", async () => {
  expect(await linesOf(': comment\nevent: x\ndata: {"a":1}')).toEqual(['{"a":1}']);
});

test("reads the same events wherever the bytes are split, also within characters", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "grapheme" }), { maxLength: 5 }),
      fc.constantFrom("\n\n", "\n", "\r\n\r\n", "\r\n"),
      fc.array(fc.nat(500), { maxLength: 20 }),
      async (contents, separator, cuts) => {
        const events = contents.map((content) => JSON.stringify({ content }));
        const text = events.map((event) => `data: ${event}${separator}`).join("");
        expect(await linesOf(text, cuts)).toEqual(events);
      },
    ),
  );
});

test("stops the download when the reader stops", async () => {
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: {}\n")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const _line of readEventLines(endless)) break;
  expect(cancelled).toBe(true);
});
