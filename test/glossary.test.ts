import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const terms = [...readFileSync("docs/glossary.md", "utf8").matchAll(/^- \*\*([a-z][a-z -]+?)\*\*:/gm)].map(
  ([, term]) => term!,
);

const sources = readdirSync("src", { recursive: true, encoding: "utf8" })
  .filter((path) => path.endsWith(".ts"))
  .map((path) => readFileSync(join("src", path), "utf8"));

test("the glossary has at most 40 terms, in order", () => {
  expect(terms.length).toBeGreaterThan(20);
  expect(terms.length).toBeLessThanOrEqual(40);
  expect(terms).toEqual(terms.toSorted());
});

test.each(terms)("%s is a word of the source", (term) => {
  // As two words, with a hyphen, or as a name.
  const pattern = term.replaceAll(/[ -]/g, "[ -]?");
  const uses = sources.filter((source) => new RegExp(pattern, "i").test(source));
  expect(uses.length).toBeGreaterThan(2);
});
