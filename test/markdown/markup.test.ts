import { describe, expect, it } from "vitest";
import { beforeMarkup, mayHoldMarkup } from "../../src/markdown/markup.ts";

describe("what may be a mark", () => {
  it.each<readonly [string, boolean]>([
    ...Array.from("*_`~#|<[\\&@", (sign) => [`a${sign}`, true] as const),
    ["a//b", true],
    ["a/b", false],
    ["a\n  - b", true],
    ["  -- b", true],
    ["->> b", true],
    ["> b", true],
    ["+", true],
    ["12) b", true],
    ["12.", true],
    ["1.5 m", false],
    ["a - b", false],
    ["a-\n", false],
    ["a 12. b", false],
    ["5", false],
    ["a → b", false],
    ["a 🎉", true],
    ["\n12. b", true],
  ])("%j: %s", (written, may) => {
    expect(mayHoldMarkup(written)).toBe(may);
  });

  it("ends what can be shown before", () => {
    expect(beforeMarkup("*a*")).toBe("");
    expect(beforeMarkup("one\n- two")).toBe("one\n");
  });
});
