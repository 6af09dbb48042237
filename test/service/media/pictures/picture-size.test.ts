import fc from "fast-check";
import { expect, test } from "vitest";
import { frameSizeFor } from "../../../../src/service/media/pictures/avatar-place.ts";

test.each([
  [
    { width: 640, height: 360 },
    { width: 640, height: 360 },
  ],
  [
    { width: 405, height: 721 },
    { width: 406, height: 722 },
  ],
  [
    { width: 1_280, height: 720 },
    { width: 1_280, height: 720 },
  ],
  [
    { width: 720, height: 1_280 },
    { width: 720, height: 1_280 },
  ],
  // Too large: the same aspect ratio within the limits.
  [
    { width: 1_920, height: 1_080 },
    { width: 1_280, height: 720 },
  ],
  [
    { width: 1_080, height: 1_920 },
    { width: 720, height: 1_280 },
  ],
  [
    { width: 4_096, height: 4_096 },
    { width: 960, height: 960 },
  ],
  // Too small.
  [
    { width: 16, height: 32 },
    { width: 64, height: 128 },
  ],
  // No size of this aspect ratio is within the limits.
  [
    { width: 4_096, height: 16 },
    { width: 1_280, height: 64 },
  ],
])("%j is sent as %j", (asked, sent) => {
  expect(frameSizeFor(asked)).toEqual(sent);
});

test("for any requested size, sides are even and within the limits, and the aspect ratio is kept if possible", () => {
  const side = fc.integer({ min: 16, max: 4_096 });
  fc.assert(
    fc.property(side, side, (width, height) => {
      const sent = frameSizeFor({ width, height });
      for (const value of [sent.width, sent.height]) {
        expect(value % 2).toBe(0);
        expect(value).toBeGreaterThanOrEqual(64);
        expect(value).toBeLessThanOrEqual(1_280);
      }
      expect(sent.width * sent.height).toBeLessThanOrEqual(1_280 * 720);
      const isPossible = Math.max(width / height, height / width) < 1_280 / 66;
      if (isPossible)
        expect(Math.abs(sent.width - (sent.height * width) / height)).toBeLessThan(2 + (2 * width) / height);
    }),
  );
});
