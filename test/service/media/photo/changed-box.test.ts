import { expect, test } from "vitest";
import { changedBox } from "../../../../src/service/media/photo/photo-drawing.ts";

const size = 32;
const picture = (...changed: [number, number][]): Uint32Array => {
  const words = new Uint32Array(size * size);
  for (const [x, y] of changed) words[y * size + x] = 1;
  return words;
};

const box = (x: number, y: number, width: number, height: number) => ({ x, y, width, height });

test.each([
  ["nothing between equal pictures", picture([3, 3]), picture([3, 3]), null],
  ["every change, on multiples of eight pixels", picture(), picture([9, 3], [12, 17]), box(8, 0, 8, 24)],
  ["what is there no more", picture([31, 31]), picture(), box(24, 24, 8, 8)],
  ["the whole picture", picture(), picture([0, 0], [31, 31]), box(0, 0, 32, 32)],
])("the box of changes holds %s", (_what, before, after, expected) => {
  expect(changedBox(before, after, size)).toEqual(expected);
});
