import { expect, test } from "vitest";
import { jsonText, textTable } from "../../../src/command-line/operator/text-table.ts";

test("columns are as wide as their widest cell, without trailing spaces", () => {
  expect(
    textTable(
      ["id", "name"],
      [
        ["1", "Shop"],
        ["1234", ""],
      ],
    ),
  ).toEqual(["id    name", "1     Shop", "1234"]);
});

test("a name cannot add lines or send control characters to the terminal", () => {
  const [, line] = textTable(["name"], [["a\n\u001b[2Jb\u202ec\u009b1m"]]);
  expect(line).toBe("a\u{fffd}\u{fffd}[2Jb\u{fffd}c\u{fffd}1m");
});

test("JSON is printed unchanged, without control characters", () => {
  const value = { name: "a\n\u001b\u007f\u009b\u202e\u2028ä" };
  const text = jsonText(value);
  expect(JSON.parse(text)).toEqual(value);
  expect(text.replaceAll("\n", "")).not.toMatch(/[\p{Cc}\p{Bidi_Control}\u2028]/u);
});
