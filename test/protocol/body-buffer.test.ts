import fc from "fast-check";
import { expect, test } from "vitest";
import { BodyBuffer } from "../../src/protocol/body-buffer.ts";

const pieces = fc.array(
  fc.oneof(
    fc.uint8Array({ maxLength: 300 }),
    fc.integer({ min: 0, max: 60_000 }).map((size) => new Uint8Array(size).fill(size % 251)),
  ),
  { maxLength: 60 },
);

test("joins any chunks to the body", () => {
  fc.assert(
    fc.property(pieces, (pieces) => {
      let held = 0;
      const body = new BodyBuffer(10_000_000, (bytes) => (held += bytes));
      for (const piece of pieces) expect(body.add(piece)).toBe(true);
      const whole = Buffer.concat(pieces);
      expect(Buffer.from(body.bytes()).equals(whole)).toBe(true);
      expect(held).toBeGreaterThanOrEqual(whole.length);
    }),
  );
});

test("rejects more bytes than the limit", () => {
  let held = 0;
  const body = new BodyBuffer(10, (bytes) => (held += bytes));
  expect([body.add(new Uint8Array(6)), body.add(new Uint8Array(4)), body.add(new Uint8Array(1))]).toEqual([
    true,
    true,
    false,
  ]);
  expect(held).toBeLessThanOrEqual(10 + 32 * 1024);
  expect(body.bytes()).toHaveLength(10);
});

test.each([10, 100, 3_000, 70_000])(
  "needs little more memory than the bytes themselves for chunks of %i bytes",
  (size) => {
    let held = 0;
    const body = new BodyBuffer(30_000_000, (bytes) => (held += bytes));
    const total = Math.floor(2_000_000 / size) * size;
    for (let sent = 0; sent < total; sent += size) body.add(new Uint8Array(size).fill((sent / size) % 251));
    expect(held).toBeLessThan(total + 40_000);
    const whole = body.bytes();
    expect(whole).toHaveLength(total);
    expect(whole[total - 1]).toBe((total / size - 1) % 251);
  },
);
