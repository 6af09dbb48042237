import { expect, test } from "vitest";
import { nextReadingMs } from "../../../../src/service/administration/knowledge/website/next-reading.ts";

const now = new Date(2027, 0, 15, 14, 30).getTime();

test("a website is read again in the night of the next day or week, at a minute of its own, or never", () => {
  const day = new Date(nextReadingMs("day", now, "a")!);
  const week = new Date(nextReadingMs("week", now, "a")!);
  expect([day.getDate(), week.getDate()]).toEqual([16, 22]);
  expect(day.getHours()).toBeGreaterThanOrEqual(2);
  expect(day.getHours()).toBeLessThan(5);
  expect(nextReadingMs("day", now, "a")).toBe(day.getTime());
  const minutes = new Set(["a", "b", "c", "d"].map((id) => nextReadingMs("day", now, id)));
  expect(minutes.size).toBeGreaterThan(1);
  expect(nextReadingMs("never", now, "a")).toBeNull();
});
