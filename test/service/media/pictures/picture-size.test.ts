import fc from "fast-check";
import { expect, test } from "vitest";
import { frameSizeFor, pictureSizeFor } from "../../../../src/service/media/pictures/avatar-place.ts";

test.each([
  [640, 360, 640, 360],
  [405, 721, 406, 722],
  [1_280, 720, 1_280, 720],
  [720, 1_280, 720, 1_280],
  // Too large: the same aspect ratio within the limits.
  [1_920, 1_080, 1_280, 720],
  [1_080, 1_920, 720, 1_280],
  [4_096, 4_096, 960, 960],
  // Too small.
  [16, 32, 64, 128],
  // No size of this aspect ratio is within the limits.
  [4_096, 16, 1_280, 64],
])("%i × %i is sent as %i × %i", (width, height, sentWidth, sentHeight) => {
  expect(frameSizeFor({ width, height })).toEqual({ width: sentWidth, height: sentHeight });
});

test.each([
  [16, 256],
  [256, 256],
  [257, 272],
  [424, 432],
  [768, 768],
  [4_096, 768],
])("the picture for a stage of %i px has the next multiple of 16 within its limits", (heightPx, size) => {
  expect(pictureSizeFor(heightPx)).toBe(size);
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
