import { ImageData } from "@napi-rs/canvas";
import { expect, test } from "vitest";
import { type Columns, keepBackground } from "../../src/photo-making/kept-background.ts";

// The maker runs in browsers.
Object.assign(globalThis, { ImageData });

const size = 96;
const middle = size / 2;
const radius = 20;

const awayFromMiddle = (i: number): number => Math.hypot((i % size) - middle, Math.floor(i / size) - middle);

/** A red person before stripes of two blues, and the person's mask. */
function scene(): { photo: globalThis.ImageData; mask: Uint8ClampedArray; original: Uint8ClampedArray } {
  const photo = new globalThis.ImageData(size, size);
  const mask = new Uint8ClampedArray(4 * size * size);
  for (let i = 0; i < size * size; i++) {
    const isPerson = awayFromMiddle(i) < radius;
    photo.data.set(isPerson ? [200, 40, 40, 255] : [20, 40, i % 8 < 4 ? 120 : 200, 255], 4 * i);
    mask[4 * i + 3] = isPerson ? 255 : 0;
  }
  return { photo, mask, original: photo.data.slice() };
}

/** What is behind the person: there is something. */
function kept(photo: globalThis.ImageData, mask: Uint8ClampedArray, columns?: Columns): globalThis.ImageData {
  const behind = keepBackground(photo, mask, 1, columns);
  if (!behind) throw new Error("Nothing is behind.");
  return behind;
}

test("person and background together are the picture, and the background is whole and has nothing of the person", () => {
  const { photo, mask, original } = scene();
  const behind = kept(photo, mask);
  for (let i = 0; i < original.length; i += 4) {
    expect(behind.data[i]).toBeLessThan(30);
    const share = photo.data[i + 3]! / 255;
    for (let c = i; c < i + 3; c++) {
      const seen = photo.data[c]! * share + behind.data[c]! * (1 - share);
      expect(Math.abs(seen - original[c]!)).toBeLessThanOrEqual(1);
    }
  }
});

test("the picture fades out at its sides, and nowhere else", () => {
  const { photo, mask } = scene();
  const { data } = kept(photo, mask);
  const opacity = (x: number, y: number): number => data[4 * (y * size + x) + 3]!;
  for (const y of [0, middle, size - 1]) {
    expect(opacity(0, y)).toBe(0);
    expect(opacity(size - 1, y)).toBe(0);
    for (let x = 6; x < size - 6; x++) expect(opacity(x, y)).toBe(255);
  }
  // Far from the person nothing moves with them.
  expect([photo.data[3], photo.data[4 * (middle * size + middle) + 3]]).toEqual([0, 255]);
});

/** Takes everything outside of these columns from a picture. */
function clear(photo: globalThis.ImageData, { from, to }: Columns): void {
  for (let i = 0; i < size * size; i++)
    if (i % size < from || i % size >= to) photo.data.fill(0, 4 * i, 4 * i + 4);
}

test("beside a narrow photograph the background goes on, and the person fades out at its sides", () => {
  const { photo } = scene();
  const columns = { from: 18, to: size - 18 };
  // Shoulders that reach both sides.
  const mask = new Uint8ClampedArray(4 * size * size);
  for (let i = 0; i < size * size; i++) mask[4 * i + 3] = Math.floor(i / size) > middle ? 255 : 0;
  clear(photo, columns);
  const { data } = kept(photo, mask, columns);
  const at = (x: number, y: number): number => 4 * (y * size + x);
  expect(data[at(8, 10) + 2]).toBeGreaterThan(110);
  expect(data[at(8, 10) + 3]).toBe(255);
  expect(photo.data[at(columns.from, size - 4) + 3]).toBe(0);
  expect(photo.data[at(columns.from + 3, size - 4) + 3]).toBeLessThan(200);
  expect(photo.data[at(columns.from + 8, size - 4) + 3]).toBe(255);
});

test("a person who was cut out before has nothing behind, and stays as they are", () => {
  const { photo, mask } = scene();
  for (let i = 0; i < size * size; i++) if (mask[4 * i + 3] === 0) photo.data.fill(0, 4 * i, 4 * i + 4);
  const before = photo.data.slice();
  expect(keepBackground(photo, mask, 1)).toBeNull();
  expect(photo.data).toEqual(before);
});
