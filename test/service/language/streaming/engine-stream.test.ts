import { setImmediate } from "node:timers/promises";
import type { ServerResponse } from "node:http";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { collectGarbage } from "../../../../src/service/collect-garbage.ts";
import { askEngine, defaultEngineLimits } from "../../../../src/service/language/streaming/engine-stream.ts";
import { serveLocally } from "../../../local-server.ts";
import type { EngineError } from "../../../../src/service/language/streaming/engine-error.ts";

let url: string;
let responses: ServerResponse[];
let closed: number;

/** An engine that begins each answer, and says no more. */
beforeEach(async () => {
  responses = [];
  closed = 0;
  const { origin } = await serveLocally((request, response) => {
    request.resume();
    response.on("close", () => closed++);
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: first\n\n");
    responses.push(response);
  });
  url = `${origin}/`;
});

/** An answer that is read in the background, as far as it comes. */
function ask(limits = defaultEngineLimits, signal?: AbortSignal) {
  const payloads: unknown[] = [];
  const { payloads: answer } = askEngine({ fetch, url, headers: {}, body: {}, limits, signal });
  const read = async (): Promise<void> => {
    for await (const arrived of answer) payloads.push(...arrived.map(({ value }) => value));
  };
  return { payloads, over: read() };
}

/** Some collections, between which everything that waits may go on. */
async function collect(): Promise<void> {
  for (let i = 0; i < 5; i++) {
    collectGarbage();
    await setImmediate();
  }
}

describe("the answer of an engine", () => {
  it("ends at the engine when its turn is aborted, also after garbage was collected", async () => {
    const turn = new AbortController();
    const { payloads, over } = ask(defaultEngineLimits, turn.signal);
    await expect.poll(() => payloads).toEqual(["first"]);
    await collect();
    turn.abort();
    await over;
    await expect.poll(() => closed).toBe(1);
  });

  it("ends at the engine when it says nothing for too long, also after garbage was collected", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const { payloads, over } = ask();
    const failure = over.catch((error: unknown) => error);
    await expect.poll(() => payloads).toEqual(["first"]);
    await collect();
    vi.advanceTimersByTime(defaultEngineLimits.idleMs);
    expect(await failure).toMatchObject({ code: "too_slow" } satisfies Partial<EngineError>);
    await expect.poll(() => closed).toBe(1);
  });

  it("ends at the engine when nobody reads on", async () => {
    const { payloads } = askEngine({ fetch, url, headers: {}, body: {}, limits: defaultEngineLimits });
    for await (const arrived of payloads) if (arrived.some(({ value }) => value === "first")) break;
    await expect.poll(() => closed).toBe(1);
  });

  it("is whole when the engine ends it", async () => {
    const { payloads, over } = ask();
    await expect.poll(() => responses).toHaveLength(1);
    responses[0]?.end("data: last\n\n");
    await over;
    expect(payloads).toEqual(["first", "last"]);
  });

  it("is broken off when the engine's connection breaks", async () => {
    const { over } = ask();
    const failure = over.catch((error: unknown) => error);
    await expect.poll(() => responses).toHaveLength(1);
    responses[0]?.destroy();
    expect(await failure).toMatchObject({ code: "broken_off" });
  });

  it("may begin as late as the engine's own setting says: the whole answer's time begins with its first byte", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const limits = { ...defaultEngineLimits, firstByteMs: 600_000 };
    let answer: (response: Response) => void = () => undefined;
    const { payloads } = askEngine({
      fetch: () => new Promise((resolve) => (answer = resolve)),
      ...{ url, headers: {}, body: {}, limits },
    });
    const first = payloads[Symbol.asyncIterator]().next();
    await vi.advanceTimersByTimeAsync(500_000);
    answer(new Response("data: late\n\n"));
    expect((await first).value).toMatchObject([{ value: "late" }]);
  });
});
