import { isDeepStrictEqual } from "node:util";
import type { LlmRequest } from "../../../protocol/answers/llm-request.ts";
import type { LlmStreamEvent } from "../../../protocol/answers/llm-stream.ts";
import type { BegunAnswer } from "./session-conversation.ts";

/** How long an answer waits for its question, in ms: a little longer than the longest silence that ends a turn. */
const keptMs = 10_000;

/** An answer that has begun, as far as it has come and further. */
export interface HeldAnswer extends BegunAnswer {
  /** Ends it. */
  abort(): void;
}

interface Held {
  readonly asked: LlmRequest;
  readonly abort: AbortController;
  readonly timer: NodeJS.Timeout;
  readonly begun: Promise<BegunAnswer>;
}

/** Answers that have begun before their question is certain, because the visitor may go on speaking: one of a session. */
export class EarlyAnswers {
  readonly #held = new Map<string, Held>();

  /**
   * Begins an answer, and reads it ahead until the session asks for it. It is aborted when the session asks something else, ends,
   * or asks nothing. A question whose answer has begun does not begin again. Rejects with what `start` throws.
   */
  async begin(
    sessionId: string,
    asked: LlmRequest,
    start: (signal: AbortSignal) => Promise<BegunAnswer>,
  ): Promise<void> {
    const known = this.#held.get(sessionId);
    if (known && isDeepStrictEqual(known.asked, asked)) {
      await known.begun;
      return;
    }
    this.drop(sessionId);
    const abort = new AbortController();
    // The question may come while its answer still begins.
    const begun = start(abort.signal).then((answer) => ({ ...answer, events: readAhead(answer.events) }));
    const timer = setTimeout(() => this.drop(sessionId), keptMs).unref();
    const held = { asked, abort, timer, begun };
    this.#held.set(sessionId, held);
    try {
      await begun;
    } catch (error) {
      if (this.#held.get(sessionId) === held) this.drop(sessionId);
      throw error;
    }
  }

  /** The answer to this question, if it has begun. One that could not begin is none: the question itself says why. */
  async take(sessionId: string, asked: LlmRequest): Promise<HeldAnswer | null> {
    const held = this.#held.get(sessionId);
    if (!held) return null;
    if (!isDeepStrictEqual(held.asked, asked)) {
      this.drop(sessionId);
      return null;
    }
    this.#held.delete(sessionId);
    clearTimeout(held.timer);
    try {
      return { ...(await held.begun), abort: () => held.abort.abort() };
    } catch {
      return null;
    }
  }

  /** Aborts the session's answer, if one has begun. */
  drop(sessionId: string): void {
    const held = this.#held.get(sessionId);
    if (!held) return;
    this.#held.delete(sessionId);
    clearTimeout(held.timer);
    held.abort.abort();
  }
}

/** The same events, which are read at once and wait for their reader. */
function readAhead<Item>(items: AsyncIterable<Item>): ReadableStream<Item> {
  return new ReadableStream<Item>({
    // An error here is the reader's: the stream passes it on.
    async start(controller) {
      for await (const item of items) controller.enqueue(item);
      controller.close();
    },
  });
}

/** An answer that began early. If it failed before its first word, the answer that `again` gives, as if none had begun. */
export async function* orAgain(
  begun: AsyncIterable<LlmStreamEvent>,
  signal: AbortSignal,
  again: () => Promise<AsyncIterable<LlmStreamEvent>>,
): AsyncGenerator<LlmStreamEvent> {
  let isBegun = false;
  try {
    for await (const event of begun) {
      if (!isBegun && event.status === "error") break;
      isBegun = true;
      yield event;
    }
  } catch (error) {
    if (isBegun || signal.aborted) throw error;
  }
  if (!isBegun) yield* await again();
}
