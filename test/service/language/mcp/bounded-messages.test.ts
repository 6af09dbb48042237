import { expect, test } from "vitest";
import { withBoundedMessages } from "../../../../src/service/language/mcp/bounded-messages.ts";

const megabyte = 1024 * 1024;
const event = `data: ${"x".repeat(megabyte)}`;

/** How many bytes of an answer in these parts arrive. */
async function arriving(type: string, ...parts: string[]): Promise<number> {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const part of parts) controller.enqueue(new TextEncoder().encode(part));
      controller.close();
    },
  });
  const answer = withBoundedMessages(new Response(body, { headers: { "content-type": type } }));
  return (await answer.arrayBuffer()).byteLength;
}

test.each([
  ["with their ends", Array.from({ length: 6 }, () => [`${event}\n\n`])],
  ["apart from their ends", Array.from({ length: 6 }, () => [event, "\n\n"])],
  ["with half of their ends", Array.from({ length: 6 }, () => [`${event}\r\n`, "\r\n"])],
])("a stream has any number of messages, written %s", async (_, written) => {
  const parts = written.flat();
  expect(await arriving("text/event-stream", ...parts)).toBe(parts.join("").length);
});

test("a message above 4 MiB ends a stream, and a whole answer", async () => {
  const parts = Array.from({ length: 5 }, () => event);
  for (const type of ["text/event-stream", "application/json"])
    await expect(arriving(type, ...parts)).rejects.toThrow("larger than 4194304 bytes");
});
