import { expect, test } from "vitest";
import { cpuMs } from "../../../cpu-time.ts";
import { eventPayloads } from "../../../../src/service/language/streaming/event-payloads.ts";

/** The values of an answer that arrives in such parts, and the code of the error that ends it. */
async function read(...parts: string[]): Promise<{ values: unknown[]; code: unknown }> {
  const values: unknown[] = [];
  try {
    const bytes = parts.map((part) => new TextEncoder().encode(part));
    for await (const payloads of eventPayloads(streamOf(bytes)))
      values.push(...payloads.map(({ value }) => value));
    return { values, code: null };
  } catch (error) {
    return { values, code: (error as { code?: unknown }).code };
  }
}

async function* streamOf(chunks: Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Promise.resolve(chunk);
}

test("events, lines of JSON and one JSON text over several lines have the same payloads", async () => {
  const values = [{ a: 1 }, [2]];
  expect(await read('data: {"a":1}\n\ndata: [2]\n\n')).toEqual({ values, code: null });
  expect(await read('{"a":1}\n[2]\n')).toEqual({ values, code: null });
  expect(await read('{\n  "a": 1\n}\n[\n  2\n]\n')).toEqual({ values, code: null });
});

test("a stream's end mark is a payload, whatever follows it", async () => {
  expect(await read('data: {"a":1}\ndata: [DONE]\ndata: {"b":2}\n')).toEqual({
    values: [{ a: 1 }, "[DONE]", { b: 2 }],
    code: null,
  });
});

/** An engine may be another organization's: nobody waits while its answer is read. */
test.each([
  [
    "of an event whose lines are nearly empty",
    "data: a\n".repeat(500_000),
    ["a\n".repeat(500_000).trim()],
    null,
  ],
  [
    "whose every line could end a long text",
    `[${"1,".repeat(250_000)}\n${"]x\n".repeat(150_000)}`,
    [],
    "not_understood",
  ],
  ["of an event without an end", `data: ${"a".repeat(2_000_000)}`, [], "not_understood"],
])("an answer %s costs no more than its length", async (_, text, values, code) => {
  const parts = text.match(/[^]{1,16384}/g) ?? [];
  let told: unknown;
  expect(await cpuMs(async () => (told = await read(...parts)))).toBeLessThan(3_000);
  expect(told).toEqual({ values, code });
});
