import { describe, expect, test } from "vitest";
import { documentPassages } from "../../../../src/service/knowledge/reading/document-passages.ts";

const x = (length: number): string => "x".repeat(length);

describe("the passages of a document", () => {
  test.each<[string, string[], string[]]>([
    ["join short paragraphs", [" one ", "two\nlines", "", "three"], ["one\n\ntwo\nlines\n\nthree"]],
    [
      "are at most 900 characters when they are joined",
      [x(449), x(449), x(1)],
      [`${x(449)}\n\n${x(449)}`, x(1)],
    ],
    ["are not joined where they would be longer", [x(449), x(450)], [x(449), x(450)]],
    ["keep a paragraph of 900 characters whole", [x(900)], [x(900)]],
    ["cut a sentence that is longer", [x(1_900)], [x(900), x(900), x(100)]],
    ["end with sentences where they can", [`X${x(499)}. X${x(499)}.`], [`X${x(499)}.`, `X${x(499)}.`]],
    [
      "fill up with sentences that fit",
      [`X${x(97)}. `.repeat(18)],
      [`X${x(97)}. `.repeat(9).trim(), `X${x(97)}. `.repeat(9).trim()],
    ],
  ])("%s", async (_, paragraphs, passages) => {
    expect(await documentPassages(paragraphs.join("\n\n"))).toEqual(passages);
    expect(await documentPassages(paragraphs.join("\r\n \t\r\n"))).toEqual(passages);
  });

  test("are none of an empty text", async () => {
    expect(await documentPassages(" \n\n \n ")).toEqual([]);
  });
});
