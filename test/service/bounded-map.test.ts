import { expect, test } from "vitest";
import { BoundedMap } from "../../src/service/bounded-map.ts";

test("what was added first goes when there is too much, and what is kept keeps its latest value", () => {
  const map = new BoundedMap<number, string>(10);
  for (let key = 1; key <= 10; key++) map.set(key, "first");
  map.set(10, "second");
  expect(map.get(1)).toBe("first");
  map.set(11, "first");
  expect([1, 2, 3, 10, 11].map((key) => map.get(key))).toEqual([
    undefined,
    undefined,
    "first",
    "second",
    "first",
  ]);
  map.delete(10);
  expect(map.get(10)).toBeUndefined();
});
