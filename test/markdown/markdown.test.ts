import { describe, expect, it } from "vitest";
import fc from "fast-check";
import {
  parseMarkdown,
  plainText,
  readableText,
  SpokenAnswer,
  spokenText,
} from "../../src/markdown/index.ts";
import { beforeMarkup, mayHoldMarkup } from "../../src/markdown/markup.ts";

const document = `## Delivery

We deliver **within 3 days**. See [our page](https://shop.example/delivery?a=1&b=2) or https://shop.example/x_y.

1. Open the *box*
2. Check \`part A\` &amp; part B

| Size | Price |
|------|------:|
| Small | 10 € |
| Large | 20 € |

- [x] paid
- ~~old~~ new 🎉

\`\`\`js
let a = 1;
\`\`\`

<script>alert(1)</script>
Write to help@shop.example.`;

describe("Markdown that is still being written", () => {
  it.each([
    ["We deliver **with", "We deliver with"],
    ["We deliver **", "We deliver "],
    ["See [our pa", "See our pa"],
    ["See [our page](https://shop.exa", "See our page"],
    ["One line\n- ", "One line"],
    ["One line\n#", "One line"],
    ["Prices:\n\n| Size | Pri", "Prices:"],
    ["Prices:\n\n| Size | Price |\n|--", "Prices:"],
    ["Use `npm ins", "Use npm ins"],
    ["This ![alt", "This alt"],
    ["Tom &am", "Tom "],
    ["Really!", "Really!"],
  ])("%j is shown as %j", (written, shown) => {
    expect(plainText(parseMarkdown(written, true)).trimEnd()).toBe(shown.trimEnd());
  });

  it("never shows a mark of a text that has none when it is complete", () => {
    for (let end = 1; end <= document.length; end++) {
      const shown = plainText(parseMarkdown(document.slice(0, end), true)).replace("<script>", "");
      expect(shown, document.slice(Math.max(0, end - 30), end)).not.toMatch(/\*|~~|\]\(|^#|\|/m);
    }
  });

  it("is parsed whatever it is, and keeps plain words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 60 }), fc.boolean(), (text, isOpen) => {
        expect(typeof plainText(parseMarkdown(`word ${text}`, isOpen))).toBe("string");
      }),
    );
  });
});

describe("what is spoken", () => {
  it("has no marks and no addresses, and reads tables row by row", () => {
    expect(spokenText(document, "en")).toBe(
      [
        "Delivery.",
        "We deliver within 3 days. See our page or: the link is in the text.",
        "1: Open the box. 2: Check part A & part B.",
        "Small: Price 10 €. Large: Price 20 €.",
        "paid. old new.",
        "The code is in the text.",
        "alert(1).",
        "Write to help@shop.example.",
      ].join("\n\n"),
    );
  });

  it.each([
    ["https://a.example/x", "en", "The link is in the text"],
    ["More: https://a.example/x today", "en", "More: the link is in the text, today"],
    ["Mehr: https://a.example/x", "de-CH", "Mehr: der Link steht im Text"],
    ["https://a.example", "zh-TW", "連結在文字中"],
    ["[https://a.example](https://b.example)", "en", "The link is in the text"],
  ])("%s in %s is said as %s", (written, locale, said) => {
    expect(spokenText(written, locale)).toBe(said);
  });

  it.each([[1], [7], [23]])("is the same in pieces of %i characters, word by word", (size) => {
    const answer = new SpokenAnswer("en");
    const said: string[] = [];
    for (let end = size; end < document.length + size; end += size) {
      const written = document.slice(0, end);
      const part = answer.read(written, end >= document.length);
      if (part) said.push(part.text);
    }
    const letters = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, "");
    expect(letters(said.join(""))).toBe(letters(spokenText(document, "en")));
  });

  it("keeps the blank line between paragraphs, also where one part ends and the next begins", () => {
    const answer = new SpokenAnswer("en");
    const parts = ["**Yes.** It is open.\n\n", "It is *warm*, too.\n\nAnd dry.", " Good."];
    const said = parts.map(
      (_, index) => answer.read(parts.slice(0, index + 1).join(""), index === parts.length - 1)?.text,
    );
    expect(said).toEqual(["Yes. It is open.", "\n\nIt is warm, too.\n\nAnd dry.", "Good."]);
  });

  it("goes on after what was spoken without a parser, in languages without spaces too", () => {
    const first = "これは短い文です。";
    const answer = new SpokenAnswer("ja", first);
    expect(answer.read(`${first}次は**太字**です。`, false)?.text).toBe("次は太字です。");
  });

  it("leads from spoken words to the places where they are written", () => {
    const answer = new SpokenAnswer("en");
    const written = "Read **our [terms](https://a.example/terms)** now.";
    const part = answer.read(written, true)!;
    expect(part.text).toBe("Read our terms now.");
    expect(written.slice(0, part.placeOf("Read our terms".length))).toBe("Read **our [terms");
    expect(part.placeOf(part.text.length)).toBe(written.length);
  });
});

describe("a text without marks", () => {
  it.each([
    ["Yes. It is 68 cm wide, isn't it (really)?", false],
    ["- a list", true],
    ["2. second", true],
    ["In 2024. Then more.", false],
    ["a *b*", true],
    ["see https://shop.example", true],
    ["me@shop.example", true],
    ["fine 🎉", true],
  ])("%j needs a parser: %s", (text, needs) => {
    expect(mayHoldMarkup(text)).toBe(needs);
  });

  it("can be shown up to its first mark before there is a parser", () => {
    expect(beforeMarkup("Here **it** is")).toBe("Here ");
    expect(beforeMarkup("All of it.")).toBe("All of it.");
  });
});

it("as text to keep, has the marks of its lists and says where its links lead", () => {
  expect(
    readableText(parseMarkdown("See [terms](https://a.example/t):\n\n3. *one*\n4. https://b.example")),
  ).toBe("See terms (https://a.example/t):\n3. one\n4. https://b.example");
});
