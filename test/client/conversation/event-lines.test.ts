import fc from "fast-check";
import { expect, test } from "vitest";
import { readEventLines } from "../../../src/client/conversation/answering.ts";

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

test("reads a last event without a final line break, and a comment as a sign of life", async () => {
  expect(await linesOf(': waiting\nevent: x\ndata: {"a":1}')).toEqual(["", '{"a":1}']);
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

test("leaves out an event that would take long to parse, and reads the ones beside it", async () => {
  const long = `data: {"content":"${"x".repeat(1_000_000)}"}`;
  const cuts = Array.from({ length: 200 }, (_, index) => index * 5_000);
  expect(await linesOf(`data: {"a":1}\n${long}\ndata: {"b":2}\n`, cuts)).toEqual(['{"a":1}', '{"b":2}']);
});

test("looks at each part of a long event once", async () => {
  // With each of its parts looked through again, these would be 20 GB.
  const parts = 20_000;
  let sent = 0;
  const bytes = new TextEncoder().encode("x".repeat(100));
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(sent <= parts ? bytes : new TextEncoder().encode('\ndata: {"b":2}\n'));
      if (sent > parts) controller.close();
    },
  });
  const lines: string[] = [];
  for await (const line of readEventLines(body)) lines.push(line);
  expect(lines).toEqual(['{"b":2}']);
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
