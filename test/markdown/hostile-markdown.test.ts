import { expect, test } from "vitest";
import { cpuMs } from "../cpu-time.ts";
import { parseMarkdown, plainText, SpokenAnswer, spokenText } from "../../src/markdown/index.ts";

/** The longest answer of a model, in characters. */
const longest = 262_144;

/** What a hostile answer repeats: marks that are never closed, that may belong to others, or that nest. */
const units = [
  ...Array.from("#*_~`>[]()<\\|&!-+= \t\n:@."),
  ..."1. ,- ,> ,>- ,**,***a,*a_,_a*,**a ,~~a ,``a`,[a](,![,[a]: b\n,<a ,<!--,&a,a@,www.,http://,|a,|-,- a\n,# a\n,> a\n,a\n,a\n=\n,\n ,\\*,1) ,~~~\n,```\n,* a *,[[a]],(a"
    .split(",")
    .filter(Boolean),
];

const repeated = (unit: string, length: number): string => unit.repeat(Math.ceil(length / unit.length));

/** Each would take seconds to hours, or throw, with a parser that looks through the rest of the text again and again. */
test.each(units)("a text of nothing but %j is read, shown and spoken", (unit) => {
  // All of it is looked through for marks.
  const text = `${repeated(unit, 15_900)}x`;
  plainText(parseMarkdown(text));
  plainText(parseMarkdown(text, true));
  expect(plainText(parseMarkdown(`a ${text} b`))).toContain("x");
  const long = `${repeated(unit, longest)}x`;
  expect(plainText(parseMarkdown(long))).toContain("x");
  for (const said of [text, long]) {
    spokenText(said, "en");
    new SpokenAnswer("en").read(said.slice(0, -1), false);
  }
});

/** Marks, as long as all that is looked through. The parser alone would read the rest again for each of them. */
const costly: readonly (readonly [begin: string, rest: string])[] = [
  ["- a\n1\n*", "- a\n1\n*"],
  ["* a *", "\n_"],
  [")]http://a.b/\\-***ahttp://", "*"],
  ["~http://a.b/", ":"],
  ["http://a.b/", "&a;"],
  ["http://a.b/", "&a;)"],
  ["www.a.b", "("],
];

test.each(costly)("%j and then nothing but %j cost no more than others", async (begin, rest) => {
  const text = repeated(begin, 8_000) + repeated(rest, 7_900);
  let best = Infinity;
  for (let round = 0; round < 8 && best >= 90; round++)
    best = Math.min(best, await cpuMs(() => Promise.resolve(parseMarkdown(text))));
  expect(best).toBeLessThan(90);
});

test("an address is a link without what follows it in its sentence", () => {
  const link = { kind: "link", bare: true };
  expect(parseMarkdown("See (https://a.example/b_(c)?d=1&e=2)!?").at(0)).toMatchObject({
    children: [{ text: "See (" }, { ...link, href: "https://a.example/b_(c)?d=1&e=2" }, { text: ")!?" }],
  });
});

test("a heading may be underlined", () => {
  expect(parseMarkdown("Prices\n======\n\nFrom 480 euros.").at(0)).toMatchObject({
    kind: "heading",
    level: 1,
  });
});

test("a long answer keeps every letter, also where it is not looked through for marks any more", () => {
  const text = `**Bold** words.\n\n${"One line of many.\n".repeat(2_000)}The end.`;
  const shown = plainText(parseMarkdown(text));
  expect(shown.startsWith("Bold words.")).toBe(true);
  expect(shown.match(/One line of many\./g)).toHaveLength(2_000);
  expect(shown.endsWith("The end.")).toBe(true);
});

test("marks are read in an ordinary long paragraph", () => {
  const paragraph = "We deliver **within 3 days**, see [the terms](https://a.example/t). ".repeat(60);
  const blocks = parseMarkdown(paragraph);
  expect(plainText(blocks)).not.toMatch(/\*\*|\]\(/);
});
