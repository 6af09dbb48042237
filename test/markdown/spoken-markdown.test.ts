import { describe, expect, it } from "vitest";
import { SpokenAnswer, spokenText } from "../../src/markdown/index.ts";
import { writtenPlaces } from "../../src/markdown/spoken-answer.ts";

const link = "the link is in the text";

describe("a text is said", () => {
  it.each([
    // Lines and blocks end with a pause, but for the last, which may go on.
    ["one\ntwo\n\nthree", "one. two.\n\nthree"],
    ["one!\ntwo:\nthree", "one! two: three"],
    ['"one."\ntwo', '"one." two'],
    ["one (two.)\nthree", "one (two.) three"],
    ["one\n\n---\n\ntwo", "one.\n\ntwo"],
    ["> one\n> two\n\nthree", "one. two.\n\nthree"],
    ["  one   two  ", "one two"],
    // Lists.
    ["- one\n- two", "one. two"],
    ["3. one\n4. two", "3: one. 4: two"],
    ["3. ---\n4. two", "4: two"],
    // Tables.
    ["| A | B | C |\n|--|--|--|\n| x | 1 | 2 |\n| y | | 3 |", "x: B 1, C 2. y: C 3"],
    ["| A | B |\n|--|--|\n| | 1 |\n| y | |", "B 1. y"],
    ["| A | |\n|--|--|\n| x | 1 |", "x: 1"],
    // Codes and pictures.
    ["a\n\n```\nlet b;\n```\n\nc", "a.\n\nThe code is in the text.\n\nc"],
    ["use `npm i` now", "use npm i now"],
    ["a ![lamp](l.png) b", "a lamp b"],
    ["**a *b* ~~c~~** d", "a b c d"],
    ["a 🎉🎉 b 👨‍👩‍👧 c", "a b c"],
    ["A © B ® C ™ 5 # * 1", "A © B ® C ™ 5 # * 1"],
    ["a <b>c</b> d < e", "a c d < e"],
    // Addresses.
    ["https://a.example", "The link is in the text"],
    ["Look. https://a.example", "Look. The link is in the text"],
    ["Look: https://a.example", `Look: ${link}`],
    ["Look, https://a.example", `Look, ${link}`],
    ["Look (https://a.example)", `Look ( ${link})`],
    ["Look https://a.example", `Look: ${link}`],
    ["Look https://a.example today", `Look: ${link}, today`],
    ["Look https://a.example , today", `Look: ${link} , today`],
    ["Look https://a.example **today** and *then*", `Look: ${link} , today and then`],
    ["https://a.example https://b.example", `The link is in the text: ${link}`],
    ["[a](https://a.example) b", "a b"],
  ])("%j as %j", (written, said) => {
    expect(spokenText(written, "en")).toBe(said);
  });
});

describe("an answer in pieces", () => {
  /** What is said of an answer, part by part. */
  function parts(pieces: string[], said = ""): (string | null)[] {
    const answer = new SpokenAnswer("en", said);
    return pieces.map(
      (_, index) =>
        answer.read(pieces.slice(0, index + 1).join(""), index === pieces.length - 1)?.text ?? null,
    );
  }

  it("waits for the end of a word that may become an address", () => {
    expect(parts(["See https", "://a.exam", "ple now", "."])).toEqual([
      "See",
      null,
      "the link is in the text",
      "now.",
    ]);
    expect(parts(["It is a/", "b"])).toEqual(["It is", "a/b"]);
    expect(parts(["It is (a)", " b"])).toEqual(["It is (a)", "b"]);
  });

  it("says nothing where there are only marks", () => {
    expect(parts(["**", "a", "**"])).toEqual([null, null, "a"]);
    expect(parts(["One.", " ", "…"])).toEqual(["One.", null, null]);
  });

  it("goes on after what was said as it is written", () => {
    expect(parts(["One. Two", " three."], "One. ")).toEqual([null, "Two three."]);
    expect(parts(["One.", " Two."], "One.")).toEqual([null, "Two."]);
  });

  it("knows the places of its words in the whole answer", () => {
    const answer = new SpokenAnswer("en");
    answer.read("**One** two ", false);
    const written = "**One** two *three* four.";
    const part = answer.read(written, true)!;
    expect(part.text).toBe("three four.");
    expect(written.slice(0, part.placeOf("three".length))).toBe("**One** two *three");
    expect(part.placeOf(part.text.length)).toBe(written.length);
    expect(part.placeOf(0)).toBeGreaterThanOrEqual("**One** two ".length);
  });
});

describe("the places of spoken words in what is written", () => {
  const written = "Read **our [terms](https://a.example/terms)** now, please.";
  const spoken = "Read our terms now, please.";
  const placeOf = writtenPlaces(spoken, written);

  it.each([
    ["Read", "Read"],
    ["Read our", "Read **our"],
    ["Read our terms", "Read **our [terms"],
    ["Read our terms now,", "Read **our [terms](https://a.example/terms)** now,"],
  ])("after %j: %j", (before, place) => {
    expect(written.slice(0, placeOf(before.length))).toContain(place.replace(/,$/, ""));
    expect(placeOf(before.length)).toBeLessThanOrEqual(place.length);
  });

  it("begin at the beginning, end at the end, and never go back", () => {
    expect(placeOf(0)).toBe(0);
    expect(placeOf(spoken.length)).toBe(written.length);
    expect(placeOf(999)).toBe(written.length);
    expect(writtenPlaces("one  ", "one **")("one".length)).toBe("one **".length);
    const all = Array.from({ length: spoken.length }, (_, at) => placeOf(at));
    expect(all.toSorted((a, b) => a - b)).toEqual(all);
  });

  it("are estimated between words that both have", () => {
    const estimate = writtenPlaces("aaaa bbbb", "cccccccc dddddddd");
    expect([estimate(0), estimate(4), estimate(8)]).toEqual([0, 7, 15]);
  });

  it("are exact where marks are around words", () => {
    const marked = '("one") [two](x) **three**';
    const place = writtenPlaces("«one», two – three!", marked);
    const after = (spoken: string) => marked.slice(0, place(spoken.length));
    expect(after("«one»,")).toBe('("one');
    expect(after("«one», two")).toBe('("one") [two');
  });

  it("do not jump to a common word far ahead", () => {
    const far = `One ${"x ".repeat(120)}two`;
    expect(writtenPlaces("One two three", far)("One two".length)).toBeLessThan(far.length);
    const near = `One ${"x".repeat(190)} two three`;
    expect(near.slice(0, writtenPlaces("One two three", near)("One two".length))).toBe(
      near.slice(0, -" three".length),
    );
  });

  it("stay where words have nothing in common with the text", () => {
    expect(writtenPlaces("… one", "one")(1)).toBe(0);
    expect(writtenPlaces("one", "")(1)).toBe(0);
  });
});
