import { expect, test } from "vitest";
import { removeIslands } from "../../src/photo-making/matte.ts";

const width = 80;

/** Opaque rectangles [x, y, width, height], with a soft border of two pixels. */
function picture(...rectangles: [number, number, number, number][]): Uint8ClampedArray {
  const data = new Uint8ClampedArray(4 * width * width);
  for (const [x, y, w, h] of rectangles)
    for (let i = 0; i < width * width; i++) {
      const [px, py] = [i % width, Math.floor(i / width)];
      const away = Math.max(x - px, px - (x + w - 1), y - py, py - (y + h - 1), 0);
      const opacity = away === 0 ? 255 : away <= 2 ? 150 - 50 * away : 0;
      data[4 * i + 3] = Math.max(data[4 * i + 3]!, opacity);
    }
  return data;
}

const opacityAt = (data: Uint8ClampedArray, x: number, y: number): number => data[4 * (y * width + x) + 3]!;

test("what stands apart from the person is removed with its soft border", () => {
  const data = picture([30, 10, 30, 60], [15, 30, 6, 12]);
  removeIslands(data, width);
  expect(opacityAt(data, 17, 35)).toBe(0);
  expect(opacityAt(data, 14, 35)).toBe(0);
  expect(opacityAt(data, 45, 40)).toBe(255);
  expect(opacityAt(data, 29, 40)).toBe(100);
});

test("a piece that touches the person by its soft border alone is removed", () => {
  const data = picture([30, 10, 30, 60], [21, 30, 6, 12]);
  removeIslands(data, width);
  expect(opacityAt(data, 23, 35)).toBe(0);
  expect(opacityAt(data, 30, 35)).toBe(255);
});

test("single pixels beside the person, as of hair, stay", () => {
  const data = picture([30, 10, 30, 60]);
  data[4 * (20 * width + 26) + 3] = 255;
  removeIslands(data, width);
  expect(opacityAt(data, 26, 20)).toBe(255);
});
