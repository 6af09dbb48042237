import { GuardedFetchError } from "../../outbound/guarded-fetch-error.ts";

/** The largest message, in bytes: each is parsed at once, and nobody else has a turn meanwhile. */
const messageMaxBytes = 4 * 1024 * 1024;

const blankLines = ["\n\n", "\r\n\r\n", "\r\r"];

/** Counts the bytes since a stream's last event. Servers may write an event and the blank line after it one by one. */
class EventLength {
  bytes = 0;
  /** The end of what came before, with which a blank line may begin. */
  #before = Buffer.alloc(0);

  add(part: Uint8Array): void {
    const text = Buffer.concat([this.#before, part]);
    const end = Math.max(...blankLines.map((line) => text.lastIndexOf(line)));
    this.bytes = end === -1 ? this.bytes + part.length : text.length - end;
    this.#before = text.subarray(-3);
  }
}

/** An answer of a tool server, which fails at a message that is too large: an event of a stream, or else the whole answer. */
export function withBoundedMessages(answer: Response): Response {
  if (!answer.body) return answer;
  const isStream = answer.headers.get("content-type")?.startsWith("text/event-stream") ?? false;
  const event = new EventLength();
  let bytes = 0;
  const body = answer.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        event.add(part);
        bytes += part.length;
        if ((isStream ? event.bytes : bytes) > messageMaxBytes)
          throw new GuardedFetchError("too_large", `A message is larger than ${messageMaxBytes} bytes.`);
        controller.enqueue(part);
      },
    }),
  );
  const { status, statusText, headers } = answer;
  return new Response(body, { status, statusText, headers });
}
