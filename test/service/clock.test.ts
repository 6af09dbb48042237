import fc from "fast-check";
import { expect, test } from "vitest";
import { machine } from "./set-clock.ts";

const hour = 3_600;

test("is the machine's clock as long as nobody sets that, also after a sleep", () => {
  const { clock, dayMs, pass, sleep } = machine();
  pass(100);
  expect(clock.nowMs()).toBe(dayMs());
  sleep(9 * hour);
  expect(clock.nowMs()).toBe(dayMs());
});

test.each([1, -1])(
  "goes on when the machine's clock is set by an hour (%i), and agrees with it later",
  (sign) => {
    const { clock, dayMs, pass, set } = machine();
    pass(100);
    const before = clock.nowMs();
    set(sign * hour);
    expect(clock.nowMs()).toBe(before);
    pass(60);
    expect(Math.abs(clock.nowMs() - before - 60_000)).toBeLessThanOrEqual(6_000);
    pass(11 * hour);
    expect(clock.nowMs()).toBe(dayMs());
  },
);

test("takes over at once what was far wrong before, and what a time server corrects", () => {
  const { clock, dayMs, pass, set } = machine();
  set(30 * 24 * hour);
  expect(clock.nowMs()).toBe(dayMs());
  pass(10);
  set(2);
  pass(2);
  expect(clock.nowMs()).toBe(dayMs());
});

test("never goes back, and never by more than a tenth faster than time, whatever is set within a day", () => {
  const step = fc.record({
    set: fc.integer({ min: -8 * hour, max: 8 * hour }),
    pass: fc.integer({ min: 1, max: 90 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 3 }), (steps) => {
      const { clock, pass, set } = machine();
      let last = clock.nowMs();
      for (const { set: by, pass: sec } of steps) {
        // What is smaller counts as the correction of a time server.
        if (Math.abs(by) > 10) set(by);
        for (let passed = 0; passed < sec; passed += 1) {
          pass(1);
          const now = clock.nowMs();
          expect(now - last).toBeGreaterThanOrEqual(899);
          expect(now - last).toBeLessThanOrEqual(1_101);
          last = now;
        }
      }
    }),
    { numRuns: 200 },
  );
});
