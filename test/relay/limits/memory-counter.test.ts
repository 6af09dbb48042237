import { expect, test } from "vitest";
import { MemoryCounter } from "../../../src/relay/limits/memory-counter.ts";

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

test("a key has so many places, each held until it is released or ends", async () => {
  let nowMs = 0;
  const counter = new MemoryCounter(() => nowMs);
  expect(await counter.hold("a", "one", 2, 100)).toBe(true);
  expect(await counter.hold("a", "two", 2, 200)).toBe(true);
  expect(await counter.hold("a", "three", 2, 100)).toBe(false);
  expect(await counter.hold("b", "three", 2, 100)).toBe(true);
  // A holder renews its place even if all are taken.
  expect(await counter.hold("a", "one", 1, 150)).toBe(true);
  nowMs = 149;
  expect(await counter.hold("a", "three", 2, 100)).toBe(false);
  nowMs = 150;
  expect(await counter.hold("a", "three", 2, 100)).toBe(true);
  expect(await counter.release("a", "two")).toBe(true);
  expect(await counter.release("a", "two")).toBe(false);
  expect(await counter.release("c", "two")).toBe(false);
  expect(await counter.hold("a", "four", 2, 100)).toBe(true);
});

test("the holders whose places end soon are listed, the first to end first", async () => {
  const counter = new MemoryCounter(() => 1_000);
  await counter.hold("a", "late", 9, 301);
  await counter.hold("a", "third", 9, 300);
  await counter.hold("a", "first", 9, 100);
  await counter.hold("a", "second", 9, 200);
  expect(await counter.holders("a", 300, 9)).toEqual(["first", "second", "third"]);
  expect(await counter.holders("a", 300, 2)).toEqual(["first", "second"]);
  expect(await counter.holders("b", 300, 9)).toEqual([]);
});

test("a maximum says by how much it rose, and begins anew when it has not risen for its time", async () => {
  let nowMs = 0;
  const counter = new MemoryCounter(() => nowMs);
  expect(await counter.raise("a", 5, 100)).toBe(5);
  nowMs = 99;
  expect(await counter.raise("a", 5, 100)).toBe(0);
  expect(await counter.raise("a", 4, 100)).toBe(0);
  expect(await counter.raise("b", 4, 100)).toBe(4);
  nowMs = 100;
  expect(await counter.raise("a", 7, 100)).toBe(7);
  nowMs = 199;
  expect(await counter.raise("a", 8, 100)).toBe(1);
});

test("removing expired places and maxima keeps the current ones", async () => {
  let nowMs = 0;
  const counter = new MemoryCounter(() => nowMs);
  await counter.hold("kept", "one", 1, 1_000_000);
  await counter.raise("kept", 5, 1_000_000);
  for (let index = 0; index < 2_000; index += 1) {
    nowMs += 1;
    await counter.hold(`passing-${index}`, "one", 1, 1);
    await counter.raise(`passing-${index}`, 1, 1);
  }
  expect(await counter.hold("kept", "two", 1, 1)).toBe(false);
  expect(await counter.raise("kept", 5, 1)).toBe(0);
});
