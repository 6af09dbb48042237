import { describe, expect, it } from "vitest";
import type { Block, Inline } from "../../src/markdown/index.ts";
import { parseMarkdown, plainText, readableText } from "../../src/markdown/index.ts";

const text = (written: string): Inline => ({ kind: "text", text: written });
const paragraph = (...children: Inline[]): Block => ({ kind: "paragraph", children });

describe("a line", () => {
  it.each<[string, Inline[]]>([
    [
      "a **b *c*** d",
      [
        text("a "),
        { kind: "strong", children: [text("b "), { kind: "emphasis", children: [text("c")] }] },
        text(" d"),
      ],
    ],
    ["~~old~~", [{ kind: "deleted", children: [text("old")] }]],
    ["`a &amp; b`", [{ kind: "code", text: "a &amp; b" }]],
    ["one\ntwo", [text("one"), { kind: "break" }, text("two")]],
    ["\\*not bold\\*", [{ kind: "text", text: "*" }, text("not bold"), { kind: "text", text: "*" }]],
    ["![a &amp; b](p.png?a=1&amp;b=2)", [{ kind: "image", src: "p.png?a=1&b=2", alt: "a & b" }]],
    [
      "[terms](https://a.example?a=1&amp;b=2)",
      [{ kind: "link", href: "https://a.example?a=1&b=2", bare: false, children: [text("terms")] }],
    ],
    [
      "one<br>two<BR />three<br/>four",
      [
        text("one"),
        { kind: "break" },
        text("two"),
        { kind: "break" },
        text("three"),
        { kind: "break" },
        text("four"),
      ],
    ],
    ["a <b>c</b>", [text("a "), text("<b>"), text("c"), text("</b>")]],
    ["a <broom> c", [text("a "), text("<broom>"), text(" c")]],
  ])("%j", (written, children) => {
    expect(parseMarkdown(written)).toEqual([paragraph(...children)]);
  });

  it.each([
    ["https://a.example/x", true],
    ["[http://a.example](http://b.example)", true],
    ["[HTTPS://A.example](http://b.example)", true],
    ["www.a.example", true],
    ["[ www.a.example ](http://b.example)", true],
    ["[see https://a.example](http://b.example)", false],
    ["[https://a.example now](http://b.example)", false],
    ["[https](http://b.example)", false],
  ])("%s is its own address: %s", (written, bare) => {
    expect(parseMarkdown(written)).toMatchObject([{ children: [{ kind: "link", bare }] }]);
  });

  it.each([
    ["&amp; &lt; &gt; &quot; &apos; &nbsp;.", "& < > \" ' \u00A0."],
    ["&hellip; &ndash; &mdash; &euro; &AMP;", "… – — € &AMP;"],
    ["&#65;&#8364;&#x41;&#X20ac;&#128512;&#x1F600;", "A€A€😀😀"],
    ["&#0; &#x0; &#1114112; &#x110000; &unknown;", "&#0; &#x0; &#1114112; &#x110000; &unknown;"],
    ["&#1;&#1114111;&#x10FFFF;", "\u0001\u{10FFFF}\u{10FFFF}"],
    ["&constructor; &toString;", "&constructor; &toString;"],
    ["&amp", "&amp"],
  ])("%s stands for %s", (written, shown) => {
    expect(plainText(parseMarkdown(written))).toBe(shown);
  });
});

describe("a block", () => {
  it.each<[string, Block[]]>([
    [
      "### A *b*",
      [{ kind: "heading", level: 3, children: [text("A "), { kind: "emphasis", children: [text("b")] }] }],
    ],
    ["```js\nlet a;\n```", [{ kind: "code", text: "let a;" }]],
    ["a\n\n---\n\nb", [paragraph(text("a")), { kind: "rule" }, paragraph(text("b"))]],
    [
      "> a\n> # b",
      [
        {
          kind: "quote",
          blocks: [paragraph(text("a")), { kind: "heading", level: 1, children: [text("b")] }],
        },
      ],
    ],
    ["- a\n- b", [{ kind: "list", start: null, items: [[paragraph(text("a"))], [paragraph(text("b"))]] }]],
    ["4. a\n5. b", [{ kind: "list", start: 4, items: [[paragraph(text("a"))], [paragraph(text("b"))]] }]],
    [
      "- [x] done\n- [ ] open",
      [
        {
          kind: "list",
          start: null,
          items: [[paragraph(text("☑ "), text("done"))], [paragraph(text("☐ "), text("open"))]],
        },
      ],
    ],
    [
      "| A | *B* |\n|---|---|\n| 1 | 2 |",
      [
        {
          kind: "table",
          header: [[text("A")], [{ kind: "emphasis", children: [text("B")] }]],
          rows: [[[text("1")], [text("2")]]],
        },
      ],
    ],
    [" <div>a</div> \n\nb", [paragraph(text("<div>a</div>")), paragraph(text("b"))]],
    [
      "[a]: https://a.example\n\n[b][a]",
      [paragraph({ kind: "link", href: "https://a.example", bare: false, children: [text("b")] })],
    ],
    ["", []],
  ])("%j", (written, blocks) => {
    expect(parseMarkdown(written)).toEqual(blocks);
  });

  it("keeps a list item's paragraphs and lists apart", () => {
    const [list] = parseMarkdown("- [x] a\n\n  b\n  - c");
    expect(list).toMatchObject({
      items: [[paragraph(text("☑ "), text("a")), paragraph(text("b")), { kind: "list", start: null }]],
    });
  });
});

const whole = `# Head

one
two **three** [four](https://a.example) ![five](p.png) \`six\` https://b.example

> quoted

---

- seven
- eight

3. nine
4. ten

| A | B |
|---|---|
| 1 | [2](https://c.example) |

\`\`\`
code
\`\`\`

[m@a.example](mailto:m@a.example) [other](mailto:m@a.example)`;

it("a text without its marks has every letter, line by line", () => {
  expect(plainText(parseMarkdown(whole))).toBe(
    "Head\none\ntwo three four five six https://b.example\nquoted\nseven\neight\nnine\nten\nA\tB\n1\t2\ncode\nm@a.example other",
  );
});

it("a text to keep has the marks of lists, and says where links lead unless they are what they show", () => {
  expect(readableText(parseMarkdown(whole))).toBe(
    "Head\none\ntwo three four (https://a.example) five six https://b.example\nquoted\n- seven\n- eight\n3. nine\n4. ten\nA\tB\n1\t2 (https://c.example)\ncode\nm@a.example other (mailto:m@a.example)",
  );
  expect(readableText(parseMarkdown("> [a](https://a.example)"))).toBe("a (https://a.example)");
  expect(readableText(parseMarkdown("- [a](https://a.example)"))).toBe("- a (https://a.example)");
});

describe("a text that is still being written is shown", () => {
  it.each([
    ["- ", ""],
    ["# ", ""],
    ["a\n#### ", "a"],
    ["a\n 12. ", "a"],
    ["a\n12) ", "a"],
    ["a\n> - ", "a"],
    ["a\n- [", "a"],
    ["a\n- [x", "a"],
    ["a\n- [X] ", "a"],
    ["a\n\t* [ ]\t", "a"],
    ["a\n  + ", "a"],
    ["a\n==", "a"],
    ["a\n =", "a"],
    ["a\n---", "a"],
    ["a\n  *** ", "a"],
    ["a\n__", "a"],
    ["a\n___ \t", "a"],
    ["a - ", "a -"],
    ["a 12. ", "a 12."],
    ["a =", "a ="],
    ["a ![", "a"],
    ["a [", "a"],
    ["a `", "a"],
    ["a ~~", "a"],
    ["a <", "a"],
    ["a \\", "a"],
    ["a &", "a"],
    ["a &#12", "a"],
    ["a &#", "a"],
    ["a & b", "a & b"],
    ["a\n```\nb | **c\n`", "a\nb | **c"],
    ["a\n```\nb\n ``", "a\nb"],
    ["~~~\nb **c\n~", "b **c"],
    ["a\n  ```\nb **c", "a\nb **c"],
    ["```\n| a | b", "| a | b"],
    ["```\na\n---", "a\n---"],
    ["```\na\n# ", "a\n#"],
    ["a\n```\nb\n```\n- ", "a\nb"],
    ["a ```\n- ", "a"],
    ["a\n```\nb\n```\n**c", "a\nb\nc"],
    ["| A | B |\n| --", ""],
    ["a\n\n| A | B |", "a"],
    ["a\n\n  | A | B |\n", "a"],
    ["a\n\n| A | B |\n|:-", "a"],
    ["a\n\n| A | B |\n|:-:|-", "a\nA\tB"],
    ["a\n\n| A | B |\n|:---:| --: |", "a\nA\tB"],
    ["a\n\n| A | B |\n|---|---|\n| 1 | ", "a\nA\tB\n1"],
    ["a\n\n| A | B |\n| x | --- |", "a"],
    ["a\n\n| A | B |\n|---|", "a"],
    ["a | b", "a | b"],
    ["a **b", "a b"],
    ["[a](https://a.exam", "a"],
    ["a _b", "a b"],
    ["a\n- b", "a\nb"],
  ])("%j as %j", (written, shown) => {
    expect(plainText(parseMarkdown(written, true)).trimEnd()).toBe(shown);
  });

  it("with no link before its address is complete, and no heading before its line is", () => {
    const [label] = parseMarkdown("See [our page](https://a.exam", true);
    expect(JSON.stringify(label)).not.toContain("link");
    expect(parseMarkdown("one\n--", true)).toEqual([paragraph(text("one"))]);
  });

  it("with its marks as they are when it is complete", () => {
    expect(plainText(parseMarkdown("a **b"))).toBe("a **b");
    expect(plainText(parseMarkdown("a **b", false))).toBe("a **b");
  });
});
