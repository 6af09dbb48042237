import { setImmediate } from "node:timers/promises";
import { expect, test } from "vitest";
import { collectGarbage } from "../../src/service/collect-garbage.ts";

test("objects that nothing refers to are collected", async () => {
  const held = new WeakRef({ text: "garbage" });
  // A weak reference holds its object until the present job is over.
  await setImmediate();
  collectGarbage();
  expect(held.deref()).toBeUndefined();
});
