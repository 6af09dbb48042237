import { describe, expect, test } from "vitest";
import { quotedAnswer } from "../../../../../src/service/language/engines/retrieval/quoted-answer.ts";
import type { FoundPassage } from "../../../../../src/service/language/passages/passage-index.ts";

/** A passage that answers the question, unless it is said otherwise. */
const passage = (text: string, fields: Partial<FoundPassage> = {}): FoundPassage => ({
  text,
  heading: "",
  document: null,
  index: 0,
  score: 10,
  coverage: 1,
  headingCoverage: 0,
  ...fields,
});

const said = (...found: FoundPassage[]): string[] | undefined => quotedAnswer(found)?.sentences;

describe("what is quoted", () => {
  test("is nothing where nothing fits well", () => {
    expect(quotedAnswer([])).toBeNull();
    expect(quotedAnswer([passage("a", { coverage: 0.35 })])).toBeNull();
  });

  test("is one passage, announced, where it may only be related", () => {
    const [related, other] = [passage("a", { coverage: 0.36 }), passage("b", { index: 1 })];
    expect(quotedAnswer([related, other])).toEqual({
      sentences: ["I don't have an exact answer to that, but this may help.", "a"],
      quoted: [related],
    });
    expect(said(passage("a", { coverage: 0.5 }))).toEqual(["a"]);
  });

  test("is at most three passages that are nearly as good as the best", () => {
    expect(
      said(passage("a"), passage("b", { score: 6.2 }), passage("c", { score: 6.1 }), passage("d")),
    ).toEqual(["a", "b"]);
    expect(said(passage("a"), passage("b"), passage("c"), passage("d"))).toEqual(["a", "b", "c"]);
  });

  test("has at most 320 characters, but for the first", () => {
    const long = "x".repeat(200);
    expect(said(passage(long), passage("y".repeat(120)))).toHaveLength(2);
    expect(said(passage(long), passage("y".repeat(121)), passage("z"))).toHaveLength(1);
    expect(said(passage(long), passage("y".repeat(60)), passage("z".repeat(61)))).toHaveLength(2);
    expect(said(passage("x".repeat(400)), passage("z"))).toEqual(["x".repeat(400)]);
  });

  test("says the same sentence once", () => {
    expect(said(passage("a"), passage("a", { index: 7 }), passage("b"), passage("c"))).toEqual([
      "a",
      "b",
      "c",
    ]);
  });

  test("is in the order of its text where its sentences follow each other below a heading", () => {
    const at = (text: string, index: number, heading = "Delivery") => passage(text, { index, heading });
    expect(said(at("b", 5), at("a", 4), at("c", 6))).toEqual(["a", "b", "c"]);
    expect(said(at("c", 6), at("a", 4))).toEqual(["c", "a"]);
    expect(said(at("b", 5), at("a", 4, "Returns"))).toEqual(["b", "a"]);
    expect(said(at("b", 5, ""), at("a", 4, ""))).toEqual(["b", "a"]);
  });
});

describe("the answer to a heading that asks the same", () => {
  const heading = "How long does it take?";
  const below = (text: string, index: number, fields: Partial<FoundPassage> = {}) =>
    passage(text, { heading, headingCoverage: 0.8, index, ...fields });

  test("is quoted from its beginning, in order, whatever the scores", () => {
    expect(
      said(passage("x", { index: 9 }), below("b", 4, { score: 1 }), below("a", 3, { score: 0.5 })),
    ).toEqual(["a", "b"]);
  });

  test("is only what stands below that heading of that document", () => {
    const found = [
      below("a", 1),
      below("b", 2, { document: 1 }),
      passage("c", { index: 3, heading: "Other" }),
      passage("d", { index: 4, heading: "Other?", headingCoverage: 0.79 }),
    ];
    expect(said(...found)).toEqual(["a"]);
  });

  test("has at most six sentences and 700 characters, but for the first", () => {
    const sentences = Array.from({ length: 8 }, (_, index) => below(String(index), index));
    expect(said(...sentences)).toEqual(["0", "1", "2", "3", "4", "5"]);
    expect(said(below("x".repeat(800), 0), below("b", 1))).toEqual(["x".repeat(800)]);
    expect(said(below("x".repeat(600), 0), below("y".repeat(100), 1))).toHaveLength(2);
    expect(said(below("x".repeat(600), 0), below("y".repeat(101), 1))).toHaveLength(1);
  });

  test.each<[string, Partial<FoundPassage>]>([
    ["asks something else", { headingCoverage: 0.79 }],
    ["does not ask", { heading: "How long it takes" }],
  ])("is not used where the heading %s", (_, fields) => {
    expect(said(below("b", 4, fields), below("a", 2, fields))).toEqual(["b", "a"]);
  });
});
