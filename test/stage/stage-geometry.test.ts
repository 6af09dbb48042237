import fc from "fast-check";
import { expect, test } from "vitest";
import { avatarRect, pictureSize } from "../../src/stage/stage-geometry.ts";

const frame = { width: 400, height: 500 };
const square = { width: 512, height: 512 };
const place = (
  paddingLeft: number,
  paddingTop: number,
  paddingHeight: number,
): ReturnType<typeof avatarRect> =>
  avatarRect(frame, square, "packed-alpha", { paddingLeft, paddingTop, paddingHeight });

test("with packed alpha, the picture is half as high as the video", () => {
  expect(pictureSize({ width: 512, height: 1024 }, "packed-alpha")).toEqual(square);
  expect(pictureSize(square, "chroma")).toEqual(square);
});

test("with paddings 0, 0, 1 the avatar is as high as the frame and centred", () => {
  expect(place(0, 0, 1)).toEqual({ left: -0.125, top: 0, width: 1.25, height: 1 });
});

test("offsets move the centre by frame widths and the top edge by frame heights; the scale keeps the top edge", () => {
  const rect = place(-0.5, 0.2, 1.4);
  expect(rect.left + rect.width / 2).toBeCloseTo(0);
  expect(rect.top).toBe(0.2);
  expect(rect.height).toBe(1.4);
  expect(rect.width).toBeCloseTo(1.75);
});

test("the box keeps the picture's aspect ratio in pixels, for any frame and paddings", () => {
  const side = fc.integer({ min: 1, max: 4_000 });
  fc.assert(
    fc.property(
      side,
      side,
      side,
      side,
      fc.double({ min: 0.01, max: 5, noNaN: true }),
      (fw, fh, pw, ph, scale) => {
        const rect = avatarRect({ width: fw, height: fh }, { width: pw, height: ph }, "chroma", {
          paddingLeft: 0,
          paddingTop: 0,
          paddingHeight: scale,
        });
        expect((rect.width * fw) / (rect.height * fh) / (pw / ph)).toBeCloseTo(1, 6);
      },
    ),
  );
});

test("a finished picture covers the frame, for any paddings", () => {
  const side = fc.integer({ min: 1, max: 4_000 });
  fc.assert(
    fc.property(side, side, side, side, (fw, fh, pw, ph) => {
      const rect = avatarRect({ width: fw, height: fh }, { width: pw, height: ph }, "none", {
        paddingLeft: 1,
        paddingTop: 1,
        paddingHeight: 5,
      });
      expect(Math.min(rect.width, rect.height)).toBeCloseTo(1);
      expect(rect.left).toBeCloseTo((1 - rect.width) / 2);
      expect(rect.top).toBeCloseTo((1 - rect.height) / 2);
    }),
  );
});

test("the picture fills a frame that has no layout yet", () => {
  const rect = avatarRect({ width: 0, height: 0 }, square, "packed-alpha", {
    paddingLeft: 0,
    paddingTop: 0,
    paddingHeight: 1,
  });
  expect(rect).toEqual({ left: 0, top: 0, width: 1, height: 1 });
});
