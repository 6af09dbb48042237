import { describe, expect, test } from "vitest";
import { sectionsOf, tabs } from "../../../src/console/editor/fields/form-fields.ts";
import { editor as english } from "../../../src/console/texts/en/editor.ts";
import { editor as korean } from "../../../src/console/texts/ko/editor.ts";

/** The paths of all texts below a tree of them. A list counts as one text of its length. */
function paths(tree: object, prefix = ""): string[] {
  return Object.entries(tree).flatMap(([key, value]: [string, unknown]) => {
    if (Array.isArray(value)) return [`${prefix}${key} ${value.length}`];
    return typeof value === "object" && value !== null ? paths(value, `${prefix}${key}/`) : [prefix + key];
  });
}

describe("the editor's texts", () => {
  test("are the same in every language", () => {
    expect(paths(korean).sort()).toEqual(paths(english).sort());
  });

  test("have a title for each section", () => {
    const sections = tabs.flatMap((tab) => sectionsOf(tab));
    expect(sections.filter((section) => !(section in english.sections))).toEqual([]);
  });
});
