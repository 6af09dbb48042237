import { expect, test } from "vitest";
import { cutOut } from "../../src/photo-making/matte.ts";

const size = 256;
const [hair, wall] = [40, 220];

/** Dark hair before a light wall, with a soft edge of some pixels, and a coarse mask that reaches a little too far. */
function photograph(): {
  image: { width: number; data: Uint8ClampedArray<ArrayBuffer> };
  mask: Uint8ClampedArray;
} {
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
