import { expect, test } from "vitest";
import { parseMatte } from "../../src/stage/matte.ts";
import { unmatte } from "../../src/stage/canvas-renderer.ts";

type Pixel = readonly [number, number, number];

/** A column of pixels as a canvas gives them. */
const column = (...pixels: Pixel[]): { data: Uint8ClampedArray; width: number; height: number } => ({
  data: Uint8ClampedArray.from(pixels.flatMap((pixel) => [...pixel, 255])),
  width: 1,
  height: pixels.length,
});
const pixelOf = ({ data }: { data: Uint8ClampedArray }, index: number): number[] => [
  ...data.slice(index * 4, index * 4 + 4),
];

test("packed alpha: a white matte is opaque and a black one transparent, also with small errors of the encoder", () => {
  const pixels = column([200, 100, 50], [200, 100, 50], [250, 250, 250], [7, 7, 7]);
  unmatte(pixels, parseMatte("packed-alpha"));
  expect(pixelOf(pixels, 0)).toEqual([200, 100, 50, 255]);
  expect(pixelOf(pixels, 1)[3]).toBe(0);
});

test("packed alpha: premultiplied colours are divided by their alpha and limited to white", () => {
  const pixels = column([100, 60, 200], [128, 128, 128]);
  unmatte(pixels, parseMatte("packed-alpha"));
  const [red, green, blue, alpha] = pixelOf(pixels, 0);
  expect(Math.abs(alpha! - 128)).toBeLessThanOrEqual(1);
  expect(Math.abs(red! - 200)).toBeLessThanOrEqual(2);
  expect(Math.abs(green! - 120)).toBeLessThanOrEqual(2);
  expect(blue).toBe(255);
});

test("chroma: the key colour becomes transparent, other colours stay", () => {
  const pixels = column([0, 255, 0], [180, 90, 60]);
  unmatte(pixels, parseMatte("chroma:#00ff00"));
  expect(pixelOf(pixels, 0)[3]).toBe(0);
  expect(pixelOf(pixels, 1)).toEqual([180, 90, 60, 255]);
});

test("no matte: nothing changes", () => {
  const pixels = column([1, 2, 3]);
  unmatte(pixels, parseMatte("none"));
  expect(pixelOf(pixels, 0)).toEqual([1, 2, 3, 255]);
});

test("reads a key colour in upper or lower case; anything else means no matte", () => {
  expect(parseMatte("chroma:#FF0080")).toEqual({ mode: "chroma", key: [1, 0, 128 / 255] });
  expect(parseMatte("chroma:#nonsense").mode).toBe("none");
});
