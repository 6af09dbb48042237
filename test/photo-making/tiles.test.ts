import fc from "fast-check";
import { expect, test } from "vitest";
import { isSameFace, surroundings, tilesOf } from "../../src/photo-making/large-face.ts";

const size = fc.record({
  width: fc.integer({ min: 1, max: 6_000 }),
  height: fc.integer({ min: 1, max: 6_000 }),
});
const share = fc.double({ min: 0, max: 1, noNaN: true });

/** A face of a height in shares of the picture's longer side, somewhere in the picture. */
const pictured = fc
  .record({ size, across: share, down: share, tall: fc.double({ min: 0.01, max: 0.16, noNaN: true }) })
  .map(({ size: { width, height }, across, down, tall }) => {
    const side = Math.min(tall * Math.max(width, height), width, height);
    const face = { x: across * (width - side), y: down * (height - side), width: side, height: side };
    return { size: { width, height }, face };
  });

test("tiles lie within the picture, and one of each kind shows a small face whole", () => {
  fc.assert(
    fc.property(pictured, ({ size: picture, face }) => {
      for (const tiles of tilesOf(picture)) {
        expect(tiles.length).toBeLessThanOrEqual(25);
        for (const { x, y, width, height } of tiles) {
          expect(Math.min(x, y)).toBeGreaterThanOrEqual(0);
          expect(x + width).toBeLessThanOrEqual(picture.width + 1e-6);
          expect(y + height).toBeLessThanOrEqual(picture.height + 1e-6);
        }
        const shows = tiles.some(
          (tile) =>
            tile.x <= face.x + 1e-6 &&
            tile.y <= face.y + 1e-6 &&
            tile.x + tile.width >= face.x + face.width - 1e-6 &&
            tile.y + tile.height >= face.y + face.height - 1e-6,
        );
        expect(shows).toBe(true);
      }
    }),
  );
});

test("what is around a face contains it and ends with the picture", () => {
  fc.assert(
    fc.property(pictured, ({ size: picture, face }) => {
      const { x, y, width, height } = surroundings(face, picture);
      expect(x).toBeLessThanOrEqual(face.x);
      expect(y).toBeLessThanOrEqual(face.y);
      expect(x + width).toBeGreaterThanOrEqual(face.x + face.width - 1e-6);
      expect(y + height).toBeGreaterThanOrEqual(face.y + face.height - 1e-6);
      expect(x + width).toBeLessThanOrEqual(picture.width + 1e-6);
      expect(y + height).toBeLessThanOrEqual(picture.height + 1e-6);
    }),
  );
  expect(
    surroundings({ x: 1_000, y: 1_000, width: 80, height: 100 }, { width: 4_000, height: 3_000 }),
  ).toEqual({ x: 840, y: 875, width: 400, height: 400 });
});

test("a face that two tiles show is one face, and its neighbour is another", () => {
  const face = { x: 100, y: 100, width: 80, height: 100 };
  expect(isSameFace(face, { ...face, x: 110, y: 95 })).toBe(true);
  expect(isSameFace(face, { ...face, x: 190 })).toBe(false);
});
