import { describe, expect, test } from "vitest";
import { readUnits } from "../../../../src/service/knowledge/reading/read-units.ts";
import { cpuMs } from "../../../cpu-time.ts";
import type { Unit } from "../../../../src/service/knowledge/reading/unit.ts";

const read = (text: string, title = ""): Promise<Unit[]> => readUnits([{ title, text }]);
const texts = async (text: string): Promise<string[]> => (await read(text)).map((unit) => unit.text);
/** The question and the answer of each unit. */
const answers = async (text: string) => (await read(text)).map((unit) => [unit.question, unit.text]);

test.each([
  "Wir liefern am 3. Mai. Der Laden ist zu.",
  "La Sra. García abre a las 9 a.m. los lunes. Cerramos el domingo.",
  "Das kostet inkl. Versand 5 Euro. Mehr nicht.",
  "The U.S. store is closed. We are open.",
])("sentences end as everywhere: %j", async (text) => {
  expect(await texts(text)).toHaveLength(2);
});

describe("headings", () => {
  test("are the path above a unit, with the title", async () => {
    expect(
      (await read("# Prices\n## Delivery\nIt is free.\n# Us\nWe are four.", "Shop")).map(
        ({ headings }) => headings,
      ),
    ).toEqual([
      ["Shop", "Prices", "Delivery"],
      ["Shop", "Us"],
    ]);
  });

  test("begin with the title, which may be the name of a file", async () => {
    expect((await read("It is free.", "Care.pdf"))[0]?.headings).toEqual(["Care"]);
  });

  test.each([
    ["**Trial**\nTwo evenings are free.", "Trial"],
    ["Trial:\nTwo evenings are free.", "Trial"],
    ["Trial\nTwo evenings are free for all.", "Trial"],
    ["Trial\n\nTwo evenings are free for all.", "Trial"],
    ["<details><summary>Trial</summary>Two evenings are free.</details>", "Trial"],
  ])("of %j are read without marks", async (text, heading) => {
    expect((await read(text)).at(-1)?.headings).toEqual([heading]);
  });
});

describe("questions with their answers are read", () => {
  const expected = [["Do you deliver?", "Yes, everywhere."]];
  test.each([
    "### Do you deliver?\nYes, everywhere.",
    "**Do you deliver?**\nYes, everywhere.",
    "Q: Do you deliver?\nA: Yes, everywhere.",
    "Do you deliver?\nYes, everywhere.",
    "Do you deliver?\n\nYes, everywhere.",
    "Do you deliver? Yes, everywhere.",
    "- Do you deliver? Yes, everywhere.",
    "<details><summary>Do you deliver?</summary>\nYes, everywhere.\n</details>",
  ])("from %j", async (text) => {
    expect(await answers(text)).toEqual(expected);
  });

  test.each([
    ["Frage: Liefern Sie?\nAntwort: Ja.", ["Liefern Sie?", "Ja."]],
    ["P: ¿Hay wifi?\nR: Sí.", ["¿Hay wifi?", "Sí."]],
    ["Q: 출장도 오시나요?\nA: 네, 갑니다.", ["출장도 오시나요?", "네, 갑니다."]],
    ["Q: I found something old\nA: Bring it.", ["I found something old", "Bring it."]],
  ])("with the marks of a language: %j", async (text, answer) => {
    expect(await answers(text)).toEqual([answer]);
  });

  test("and what follows an answer is none", async () => {
    expect(await answers("Do you deliver?\nYes.\n\nWe are four.")).toEqual([
      ["Do you deliver?", "Yes."],
      [null, "We are four."],
    ]);
  });

  test.each([
    "<details><summary>Do you deliver?</summary>\nYes.\n\nEverywhere.\n</details>\nWe are four.",
    "### Do you deliver?\n\nYes.\n\nEverywhere.\n\n---\n\nWe are four.",
  ])("and a line across the text ends an answer of several paragraphs: %j", async (text) => {
    expect(await answers(text)).toEqual([
      ["Do you deliver?", "Yes."],
      ["Do you deliver?", "Everywhere."],
      [null, "We are four."],
    ]);
  });

  test("in all wordings of a taught answer", async () => {
    const [unit] = await read("## Do you ship? / Is delivery possible?\n\nYes.");
    expect([unit?.question, unit?.wordings]).toEqual(["Do you ship?", ["Is delivery possible?"]]);
  });
});

describe("rows are sentences with the names of their columns", () => {
  test.each([
    ["| | Ash | Oak |\n| --- | --- | --- |\n| Base | £420 | £510 |", ["Base: Ash £420, Oak £510."]],
    ["| Item | Price |\n| --- | --- |\n| Vase | 65 € |", ["Vase: 65 €."]],
    ["| Size | Weight |\n|---|---|\n| 20 cm | 3 kg |", ["20 cm: Weight 3 kg."]],
    ["Puncture\t£12\nChain\t£20", ["Puncture: £12.", "Chain: £20."]],
    ["Vase | 20 cm | -\nCup | 9 cm | blue", ["Vase: 20 cm.", "Cup: 9 cm, blue."]],
  ])("%j", async (text, rows) => {
    expect(await texts(text)).toEqual(rows);
    expect((await read(text)).every(({ kind }) => kind === "row")).toBe(true);
  });
});

test("opening hours may stand in a table, and are said as a whole", async () => {
  const units = await read("| Saturday | 10-14 |\n| Sunday | closed |");
  expect(units.map(({ kind, whole }) => [kind, whole])).toEqual([
    ["hours", "Saturday: 10-14; Sunday: closed"],
    ["hours", "Saturday: 10-14; Sunday: closed"],
  ]);
});

test("lines of code are one unit, whatever they look like", async () => {
  expect(await texts("Run:\n\n```sh\n# build\nnpm start\n```\n\nThen look.")).toEqual([
    "# build npm start",
    "Then look.",
  ]);
});

test("an item of a numbered list keeps its number", async () => {
  expect(await texts("1. Heat it.\n2. Bake it.")).toEqual(["1. Heat it.", "2. Bake it."]);
});

describe("short lines are not swallowed", () => {
  test("of opening hours, which are also said as a whole", async () => {
    const units = await read(
      "# Opening hours\nMonday to Friday: 9:00-18:00\nSaturday: 10:00-14:00\nSunday: closed",
    );
    expect(units.map(({ text, kind }) => [text, kind])).toEqual([
      ["Monday to Friday: 9:00-18:00", "hours"],
      ["Saturday: 10:00-14:00", "hours"],
      ["Sunday: closed", "hours"],
    ]);
    expect(units[1]?.whole).toBe("Monday to Friday: 9:00-18:00; Saturday: 10:00-14:00; Sunday: closed");
    expect(await texts("Mon-Fri 9-18\nSat 10-14")).toEqual(["Mon-Fri 9-18", "Sat 10-14"]);
  });

  test("of a name with its value", async () => {
    expect(await texts("Delivery: by post\nMonday: 9-18")).toEqual(["Delivery: by post", "Monday: 9-18"]);
  });

  test("of an address, which is said as a whole", async () => {
    const units = await read("## Visit\n\nLarkrise Kitchens\n3 Millrace Lane\nTetherby TB4 7QX");
    expect(units.at(-1)?.whole).toBe("Larkrise Kitchens, 3 Millrace Lane, Tetherby TB4 7QX");
  });

  test("of a list, with the line that introduces it", async () => {
    const units = await read("We repair:\n- chairs\n- tables of oak");
    expect(units.map(({ text, kind }) => [text, kind])).toEqual([
      ["chairs", "item"],
      ["tables of oak", "item"],
    ]);
    expect(units[0]?.headings).toEqual(["We repair"]);
  });
});

test.each([
  ["Ask Dr. Hart. She knows.", ["Ask Dr. Hart.", "She knows."]],
  ["Am 3. Mai ist zu. Am 4. auch.", ["Am 3. Mai ist zu.", "Am 4. auch."]],
  ["Open z. B. on Monday.", ["Open z. B. on Monday."]],
  ["Costs approx. 5 euros. Ask.", ["Costs approx. 5 euros.", "Ask."]],
  ["A [link](https://a.example) and **bold** `code`.", ["A link and bold code."]],
  ["Never use <script>alert(1)</script> on <b>it</b>.", ["Never use <script>alert(1)</script> on it."]],
])("sentences end where they end: %j", async (text, sentences) => {
  expect(await texts(text)).toEqual(sentences);
});

/**
 * Four times as long, each would take minutes if each part of a text were compared with all before it, or looked for the rest of the
 * text for its end.
 */
describe("a document of nothing but", () => {
  const length = 50_000;
  test.each([
    ...["| a\n", "a | b\n", "```\n", "<a ", "<details><summary>", "<details ", "![a](", "A. ", "a, ", "a"],
    ...["Monday 9:00\n", "1. a\n", "Q: a?\nA: b.\n\n", "# a\n", "5 euros ", "가", "**a"],
  ])("%j is read in parts that can be said", async (unit) => {
    let units: Unit[] = [];
    const ms = await cpuMs(async () => (units = await read(`${unit.repeat(length / unit.length)} x`)));
    expect(ms).toBeLessThan(2_000);
    for (const { text, whole = "" } of units) {
      expect(text.length).toBeLessThanOrEqual(2_000);
      expect(whole.length).toBeLessThan(length / 2);
    }
  });

  test("short lines is read to its 40,000th part", async () => {
    expect((await read("A\n".repeat(100_000))).length).toBeLessThanOrEqual(40_000);
  });
});

test("a long paragraph without an end of a sentence is divided at its words", async () => {
  const words = "oak and beech ".repeat(1_000).trim();
  const parts = await texts(words);
  expect(parts.length).toBeGreaterThan(5);
  expect(parts.join(" ")).toBe(words);
});
