import { expect, test } from "vitest";
import { piecesFor } from "../../../src/service/normalization/text-pieces.ts";

test("what people say is one piece, also nothing", () => {
  expect(piecesFor("The chair costs 480 euros.", 150)).toEqual(["The chair costs 480 euros."]);
  expect(piecesFor("", 150)).toEqual([""]);
});

test.each([
  [10, 20_000],
  [200, 1_000],
  [2_000, 250],
  [1_000_000, 250],
])("a text without any boundary is cut for a program of %i instructions after %i letters", (size, length) => {
  const text = "1,".repeat(10_000);
  const pieces = piecesFor(text, size);
  expect(pieces.join("")).toBe(text);
  expect(Math.max(...pieces.map((piece) => piece.length))).toBe(length);
});

test("pieces end after a line, else after a sentence, else after a word", () => {
  const words = "ab ".repeat(400);
  const sentence = `${"ab ".repeat(50)}ab. `;
  expect(piecesFor(words, 2_000)[0]).toMatch(/ab $/);
  expect(piecesFor(sentence.repeat(10), 2_000)[0]).toBe(sentence);
  expect(piecesFor(`${sentence}ab\n${words}`, 2_000)[0]).toBe(`${sentence}ab\n`);
});

test("no letter of two code units is cut", () => {
  const text = `a${"😀".repeat(400)}`;
  const pieces = piecesFor(text, 2_000);
  expect(pieces.join("")).toBe(text);
  for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
});
