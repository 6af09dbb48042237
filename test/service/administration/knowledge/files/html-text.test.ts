import { describe, expect, test } from "vitest";
import { htmlText } from "../../../../../src/service/administration/knowledge/files/html-text.ts";
import { readUnits } from "../../../../../src/service/knowledge/reading/read-units.ts";

const textOf = (html: string): string => htmlText(html).text;
const unitsOf = (html: string) => readUnits([{ title: "", text: textOf(html) }]);
/** The question and the answer of each unit of a page. */
const answers = async (html: string) => (await unitsOf(html)).map(({ question, text }) => [question, text]);
const said = async (html: string) => (await unitsOf(html)).map(({ text }) => text);

describe("questions and answers are read from", () => {
  const expected = [
    ["Do you ship to Norway?", "Yes, in nine days."],
    [null, "We are potters."],
  ];
  test.each([
    ["details", "<details><summary>Do you ship to Norway?</summary><p>Yes, in nine days.</p></details>"],
    [
      "details with a heading",
      "<details><summary><h3>Do you ship to Norway?</h3></summary>Yes, in nine days.</details>",
    ],
    ["a list of definitions", "<dl><dt>Do you ship to Norway?</dt><dd>Yes, in nine days.</dd></dl>"],
    [
      "a button in a heading",
      "<h2><button type=button>Do you ship to Norway?</button></h2><div class=collapse>Yes, in nine days.</div>",
    ],
    [
      "a button in a heading that names a hidden panel",
      `<h3><button aria-expanded="false" aria-controls="s1">Do you ship to Norway?</button></h3><div id="s1" hidden>Yes, in nine days.</div>`,
    ],
    [
      "a button that names its panel from afar",
      `<div><button aria-controls="s1"><span>Do you ship to Norway?</span><svg><title>open</title></svg></button></div><hr><div id="s1" aria-hidden="true">Yes, in nine days.</div>`,
    ],
    [
      "a button with a hidden element after it",
      `<div class=q><button aria-expanded=false>Do you ship to Norway?</button></div><div style="display: none">Yes, in nine days.</div>`,
    ],
  ])("%s", async (_kind, html) => {
    expect(await answers(`${html}<p>We are potters.</p>`)).toEqual(expected);
  });

  test("tabs, whose names stand above their panels", () => {
    const html = `<div role=tablist><button role=tab aria-controls=a>Care</button><button role=tab aria-controls=b>Size</button></div><div id=a role=tabpanel><p>Wash it by hand.</p></div><div id=b role=tabpanel hidden><p>It is 20 cm high.</p></div>`;
    expect(textOf(html)).toBe("## Care\n\nWash it by hand.\n\n## Size\n\nIt is 20 cm high.");
  });
});

describe("what is shown is read", () => {
  test.each([
    [
      "a page in one form",
      `<form action="./"><input type=hidden value=x><label>Name</label><p>Call us at nine.</p><button>Send</button></form>`,
    ],
    ["a shadow root", `<x-a><template shadowrootmode="open"><p>Call us at nine.</p></template></x-a>`],
    ["an open dialog", "<dialog open><p>Call us at nine.</p></dialog><dialog><p>Closed.</p></dialog>"],
    ["what the browser finds", `<div hidden="until-found">Call us at nine.</div>`],
    ["an aside", "<aside><p>Call us at nine.</p></aside>"],
    [
      "what is not hidden",
      `<p>Call us at nine.</p><p hidden>One.</p><p style="color:red;display:none">Two.</p><i aria-hidden="true">expand_more</i><template>Three</template><script>four</script>`,
    ],
  ])("of %s", (_kind, html) => {
    expect(textOf(html)).toBe("Call us at nine.");
  });

  test("without the buttons of shops", () => {
    const html = `<h2>Mug <button>Add to cart</button></h2><p>12 pounds.</p><button>Add to cart</button><button aria-haspopup="dialog" aria-expanded="false">Add to cart</button>`;
    expect(textOf(html)).toBe("## Mug\n\n12 pounds.");
  });

  test("and a menu that a button opens is none of it", () => {
    const html = `<header><button aria-controls=menu aria-expanded=false>Menu</button></header><nav id=menu hidden>Home</nav><p>Hello.</p>`;
    expect(textOf(html)).toBe("Hello.");
  });
});

describe("tables are sentences with the names of their columns", () => {
  const row = (cells: string, kind = "td"): string =>
    `<tr>${cells
      .split(",")
      .map((cell) => `<${kind}>${cell}</${kind}>`)
      .join("")}</tr>`;
  test.each([
    [
      `<table>${row("Product,Size,Price", "th")}${row("Teapot,20 cm,65 pounds")}</table>`,
      ["Teapot: Size 20 cm, Price 65 pounds."],
    ],
    [
      `<table><thead>${row("Cake,Slice,Whole")}</thead><tbody>${row("Carrot,4.20,38")}</tbody></table>`,
      ["Carrot: Slice 4.20, Whole 38."],
    ],
    [
      `<table><tr><th rowspan=2>Room<th colspan=2>Price</tr><tr><th>Summer<th>Winter</tr><tr><td>Single<td>90<td>70</tr></table>`,
      ["Single: Price Summer 90, Price Winter 70."],
    ],
    [
      `<table>${row("Product,Size,Price", "th")}<tr><td rowspan=2>Bowl<td>12 cm<td>19 €</tr><tr><td>20 cm<td>25 €</tr></table>`,
      ["Bowl: Size 12 cm, Price 19 €.", "Bowl: Size 20 cm, Price 25 €."],
    ],
    [
      `<table><tr><th>Owner<td>Anna</tr><tr><th>Phone<td>0113 496</tr><tr><th>Post<td>LS1 4AB</tr></table>`,
      ["Owner: Anna.", "Phone: 0113 496.", "Post: LS1 4AB."],
    ],
    [`<table>${row("Saturday,10-14")}${row("Sunday,closed")}</table>`, ["Saturday: 10-14", "Sunday: closed"]],
  ])("%s", async (html, rows) => {
    expect(await said(html)).toEqual(rows);
  });

  test("and a table that only arranges a page is none", () => {
    expect(textOf("<table><tr><td><h2>Us</h2><p>We are four.</p></table>")).toBe("## Us\n\nWe are four.");
  });
});

test.each([
  ["<ol start=3><li>Heat it.<li><p>Bake it.</p></ol>", "3. Heat it.\n4. Bake it."],
  ["<ul><li>Bread<ul><li>rye</ul><li>Cake</ul>", "- Bread\n- rye\n- Cake"],
  ["<address>Mill Lane 3<br>Tetherby</address>", "Mill Lane 3\nTetherby"],
  ["<p>Here.<br><br>There.</p>", "Here.\n\nThere."],
  ["<dl><dt>Delivery<dd>6 pounds<dt>Pickup<dd>free</dl>", "Delivery: 6 pounds\nPickup: free"],
  ["<p><strong>Delivery</strong></p><p><b>It is free.</b></p>", "**Delivery**\n\nIt is free."],
  ["<pre><code>a\n  <b>b</b>\n</code></pre>", "```\na\n  b\n```"],
])("%s is written as Markdown", (html, text) => {
  expect(textOf(html)).toBe(text);
});
