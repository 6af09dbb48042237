import { expect, test } from "vitest";
import { cutOut, removeIslands } from "../../src/photo-making/matte.ts";

const size = 256;
const [hair, wall] = [40, 220];

/** Dark hair before a light wall, with a soft edge of some pixels, and a coarse mask that reaches a little too far. */
function photograph() {
  const data = new Uint8ClampedArray(4 * size * size);
  const mask = new Uint8ClampedArray(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const distance = Math.hypot((i % size) - size / 2, Math.floor(i / size) - size / 2);
    const inside = Math.min(1, Math.max(0, (80 - distance) / 3 + 0.5));
    data.fill(wall + (hair - wall) * inside, 4 * i, 4 * i + 3);
    data[4 * i + 3] = 255;
    mask[4 * i + 3] = 255 * Math.min(1, Math.max(0, (82 - distance) / 8 + 0.5));
  }
  return { image: { width: size, data }, mask };
}

test("nothing of a light background is left around dark hair", () => {
  const { image, mask } = photograph();
  cutOut(image, mask);
  const { data } = image;
  const alphas: number[] = [];
  let lightest = 0;
  for (let i = 0; i < data.length; i += 4) {
    const [light = 0, alpha = 0] = [data[i], data[i + 3]];
    alphas.push(alpha);
    // As it is seen on a black page.
    lightest = Math.max(lightest, (light * alpha) / 255);
  }
  expect(lightest).toBeLessThan(hair + 24);
  expect(alphas[size * (size / 2) + size / 2]).toBe(255);
  expect(alphas[size * (size / 2) + size / 2 + 88]).toBe(0);
});

test("what reaches the sides of a narrow photograph fades out there", () => {
  const { image, mask } = photograph();
  const columns = { from: 60, to: 200 };
  for (let i = 0; i < size * size; i++) {
    if (i % size < columns.from || i % size >= columns.to) image.data.fill(0, 4 * i, 4 * i + 4);
  }
  cutOut(image, mask, columns);
  const opacity = (x: number): number => image.data[4 * ((size / 2) * size + x) + 3]!;
  expect(opacity(columns.from)).toBeLessThan(10);
  expect(opacity(columns.from + 6)).toBeGreaterThan(40);
  expect(opacity(columns.from + 6)).toBeLessThan(215);
  expect(opacity(size / 2)).toBe(255);
});

/** The width of the pictures with islands. */
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
