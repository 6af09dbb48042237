import { expect, test } from "vitest";
import { changedBox } from "../../../../src/service/media/photo/photo-drawing.ts";

const size = 32;
const picture = (...changed: [number, number][]): Uint32Array => {
  const words = new Uint32Array(size * size);
  for (const [x, y] of changed) words[y * size + x] = 1;
  return words;
};

test("nothing has changed between equal pictures", () => {
  expect(changedBox(picture([3, 3]), picture([3, 3]), size)).toBeNull();
});

test("the box holds every change, on multiples of eight pixels", () => {
  expect(changedBox(picture(), picture([9, 3], [12, 17]), size)).toEqual({
    x: 8,
    y: 0,
    width: 8,
    height: 24,
  });
  expect(changedBox(picture([31, 31]), picture(), size)).toEqual({ x: 24, y: 24, width: 8, height: 8 });
  expect(changedBox(picture(), picture([0, 0], [31, 31]), size)).toEqual({
    x: 0,
    y: 0,
    width: 32,
    height: 32,
  });
});
