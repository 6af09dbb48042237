import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue } from "../../../../src/service/speech/workers/fair-queue.ts";

function drain(queue: FairQueue<string>): string[] {
  const taken: string[] = [];
  for (let job = queue.take(); job !== undefined; job = queue.take()) taken.push(job);
  return taken;
}

test("a new session is served before the further jobs of a session with many", () => {
  const queue = new FairQueue<string>();
  for (const job of ["a1", "a2", "a3"]) queue.add(job, { session: "a", cost: 300 });
  expect([queue.take(), queue.take()]).toEqual(["a1", "a2"]);
  queue.add("b1", { session: "b", cost: 60 });
  queue.add("b2", { session: "b", cost: 60 });
  expect(drain(queue)).toEqual(["b1", "b2", "a3"]);
});

test("a session that was served much waits for the others, also after its queue was empty", () => {
  const queue = new FairQueue<string>();
  queue.add("a1", { session: "a", cost: 300 });
  queue.add("b1", { session: "b", cost: 10 });
  queue.add("b2", { session: "b", cost: 10 });
  expect(queue.take()).toBe("a1");
  queue.add("a2", { session: "a", cost: 300 });
  expect(drain(queue)).toEqual(["b1", "b2", "a2"]);
});

test("a removed job is not served and does not count", () => {
  const queue = new FairQueue<string>();
  for (const job of ["a1", "a2"]) queue.add(job, { session: "a" });
  expect([queue.remove("a1"), queue.remove("a1")]).toEqual([true, false]);
  expect(queue.lengthOf("a")).toBe(1);
  expect(queue.clear()).toEqual(["a2"]);
  expect([queue.isEmpty, queue.take()]).toEqual([true, undefined]);
});

test("no session gets ahead of another by more than one longest job while all have jobs queued", () => {
  const costs = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 20, maxLength: 40 });
  fc.assert(
    fc.property(fc.array(costs, { minLength: 2, maxLength: 5 }), (sessions) => {
      const queue = new FairQueue<{ session: number; cost: number }>();
      for (const [session, jobs] of sessions.entries())
        for (const cost of jobs) queue.add({ session, cost }, { session: String(session), cost });
      const served = sessions.map(() => 0);
      while (sessions.every((_, session) => queue.lengthOf(String(session)) > 0)) {
        const { session, cost } = queue.take()!;
        served[session]! += cost;
        expect(Math.max(...served) - Math.min(...served)).toBeLessThanOrEqual(600);
      }
    }),
    { numRuns: 200 },
  );
});
