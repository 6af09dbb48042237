import { expect, test } from "vitest";
import type { RelayError } from "../../../src/relay/relay-error.ts";
import { requestService } from "../../../src/relay/service/service-request.ts";

/** Lets nothing run in this process for so long. */
const stall = (ms: number): void => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

test("an answer of the service that came while the relay was busy is passed on", async () => {
  const answer = new Promise<Response>((resolve) => setImmediate(() => resolve(new Response("in time"))));
  const response = requestService(() => answer, "/", { timeoutMs: 5 });
  stall(50);
  expect(await (await response).text()).toBe("in time");
});

test("a call that the service does not answer in time is ended, and fails", async () => {
  let wasEnded = false;
  const silent = (_path: string, { signal }: RequestInit = {}) => {
    signal?.addEventListener("abort", () => (wasEnded = true));
    return new Promise<Response>(() => undefined);
  };
  const failure = requestService(silent, "/", { timeoutMs: 5 });
  await expect(failure).rejects.toMatchObject({ status: 503 } satisfies Partial<RelayError>);
  expect(wasEnded).toBe(true);
});
