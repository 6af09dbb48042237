import { expect, test } from "vitest";
import { missingMarks } from "../../src/console/conversations/conversation-detail.ts";

test("a word at an end of the line stays within it", () => {
  expect(missingMarks([0, 50, 100], 100)).toEqual([
    { percent: 0, hasWord: true, side: "begin" },
    { percent: 50, hasWord: true, side: "middle" },
    { percent: 100, hasWord: true, side: "end" },
  ]);
});

test("moments that are close to each other have one word", () => {
  const words = missingMarks([20, 22, 30, 41, 60], 100).map(({ hasWord }) => hasWord);
  expect(words).toEqual([true, false, false, true, false]);
});
