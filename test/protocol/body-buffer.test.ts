import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBuffer } from "../../src/protocol/body-buffer.ts";

test("any pieces make the body, in at most twice its bytes", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 60 }), (pieces) => {
      let held = 0;
      const body = new BodyBuffer(100_000, (bytes) => (held += bytes));
      for (const piece of pieces) expect(body.add(piece)).toBe(true);
      const whole = Buffer.concat(pieces);
      expect(Buffer.from(body.bytes).equals(whole)).toBe(true);
      expect(held).toBeLessThanOrEqual(2 * whole.length);
    }),
  );
});

test("more than the limit is not taken in", () => {
  let held = 0;
  const body = new BodyBuffer(10, (bytes) => (held += bytes));
  expect([body.add(new Uint8Array(6)), body.add(new Uint8Array(4)), body.add(new Uint8Array(1))]).toEqual([
    true,
    true,
    false,
  ]);
  expect(held).toBe(10);
});
