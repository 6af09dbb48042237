import { expect, test } from "vitest";
import { MemoryCounter } from "../../src/relay/memory-counter.ts";

test("amounts are added within a window, which begins with its first amount", async () => {
  let nowMs = 1_000;
  const counter = new MemoryCounter(() => nowMs);
  expect(await counter.add("a", 2, 500)).toEqual({ total: 2, resetAtMs: 1_500 });
  nowMs = 1_499;
  expect(await counter.add("a", 1, 9_999)).toEqual({ total: 3, resetAtMs: 1_500 });
  expect(await counter.add("b", 0, 500)).toEqual({ total: 0, resetAtMs: 1_999 });
  nowMs = 1_500;
  expect(await counter.add("a", 1, 500)).toEqual({ total: 1, resetAtMs: 2_000 });
});

test("a returned count does not change when more is counted later", async () => {
  const counter = new MemoryCounter(() => 0);
  const first = await counter.add("a", 1, 10);
  await counter.add("a", 1, 10);
  expect(first.total).toBe(1);
});

test("removing expired windows keeps the current ones", async () => {
  let nowMs = 0;
  const counter = new MemoryCounter(() => nowMs);
  await counter.add("kept", 5, 1_000_000);
  for (let index = 0; index < 5_000; index += 1) {
    nowMs += 1;
    await counter.add(`passing-${index}`, 1, 1);
  }
  expect((await counter.add("kept", 0, 1)).total).toBe(5);
});
