import { json } from "node:stream/consumers";
import { describe, expect, test } from "vitest";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { checkRules } from "../../../src/service/normalization/compiled-rule.ts";
import {
  createTextNormalizer,
  normalizedTextMaxLength,
} from "../../../src/service/normalization/text-normalizer.ts";
import { serve } from "../../local-server.ts";
import { piecesFor } from "../../../src/service/normalization/text-pieces.ts";
import { configRow, rule } from "./config-row.ts";

const normalizer = createTextNormalizer(createOutboundCalls({ allowPrivate: true }));

async function normalized(rules: unknown, text: string, locale?: string): Promise<string> {
  const result = await normalizer.normalize(configRow(rules), text, { locale });
  expect(result.faults).toEqual([]);
  return result.text;
}

describe("rules", () => {
  test("run in ascending order, each on the result of the previous one", async () => {
    const rules = [
      rule("b", "c", { order: 2 }),
      rule("a", "b", { order: 1 }),
      rule("c", "d", { order: 10 }),
      rule("^", "> ", { order: -1 }),
    ];
    expect(await normalized(rules, "a-b-c")).toBe("> d-d-d");
  });

  test("of the same order run in the order of the list", async () => {
    expect(await normalized([rule("a", "b"), rule("b", "c")], "a")).toBe("c");
  });

  test.each([
    [undefined, "x"],
    ["", "x"],
    ["en", "x en"],
    ["en-US", "x en us"],
    ["EN_us", "x en us"],
    ["en-GB", "x en"],
    ["eng", "x"],
    ["ko", "x"],
  ])("for the locale %j", async (locale, expected) => {
    const rules = [
      rule("a", "x"),
      rule("$", " en", { locale: "en", order: 2 }),
      rule("$", " us", { locale: "en-US", order: 3 }),
    ];
    expect(await normalized(rules, "a", locale)).toBe(expected);
  });

  test.each([
    ["(\\w+) (\\w+)", "$2 $1", "hello there", "there hello"],
    ["(?P<first>\\w+) (\\w+)", "$<first>", "hello there", "hello"],
    ["l+", "[$&]$$", "hello", "he[ll]$o"],
    ["(x)?y", "<$1>", "y", "<>"],
    ["\\d+", "{number}", "40 or 41", "forty or forty-one"],
    ["(\\d+)th", "the {ordinal:$1}", "5th", "the fifth"],
    ["\\d+", "{digits}", "907", "nine zero seven"],
    ["\\$([\\d.]+)", "{currency:$1:dollar|dollars:cent|cents}", "$1.01", "one dollar and one cent"],
    ["[A-Z]{2,}", "{letters}", "the USB", "the U S B"],
    ["\\d+", "{number:$&:de}", "21", "einundzwanzig"],
    ["[\\d.]+", "{number}", "3.05", "three point zero five"],
    ["\\d+", "{number}", "11".repeat(10), "one ".repeat(20).trim()],
    ["\\d+", "{number}", "007", "zero zero seven"],
    ["\\pL+", "{upper}", "größe", "GRÖSSE"],
  ])("%s becomes %s", async (pattern, replacement, text, expected) => {
    expect(await normalized([rule(pattern, replacement)], text)).toBe(expected);
  });

  test("numbers are spelled out in the language of the text, or of the rule", async () => {
    expect(await normalized([rule("\\d+", "{number}")], "12", "fr-FR")).toBe("douze");
    expect(await normalized([rule("\\d+", "{number}", { locale: "ko" })], "12", "ko-KR")).toBe("십이");
    expect(await normalized([rule("[\\d,.]+", "{number}")], "1.200,5", "de")).toBe(
      "eintausendzweihundert Komma fünf",
    );
  });

  test("a pattern that makes other engines hang ends in time", async () => {
    const text = `${"a".repeat(5_000)}!`;
    expect(await normalized([rule("(a+)+$", "x")], text)).toBe(text);
  });

  test("a rule that makes the text too long is skipped", async () => {
    const rules = [rule("b", "c"), rule("a", "a".repeat(900), { order: 2 })];
    const result = await normalizer.normalize(configRow(rules), `${"a".repeat(100)}b`);
    expect(result.text).toBe(`${"a".repeat(100)}c`);
    expect(result.faults).toMatchObject([{ code: "text_too_long" }]);
    const long = "x".repeat(normalizedTextMaxLength + 1);
    expect(await normalizer.normalize(configRow([rule("x", "y")]), long)).toMatchObject({ text: long });
  });

  test.each([[[rule("(", "x")]], ["none"], [[{ pattern: 3 }]]])(
    "stored as %j leave the text unchanged",
    async (rules) => {
      const result = await normalizer.normalize(configRow(rules), "text");
      expect(result).toMatchObject({ text: "text", faults: [{ code: "rules_unusable" }] });
    },
  );

  test("a config without rules changes nothing", async () => {
    const row = { ...configRow([]), engine: null };
    expect(await normalizer.normalize(row, "text")).toEqual({ text: "text", faults: [] });
  });
});

/** How often others had their turn until something is done. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let isDone = false;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work;
  isDone = true;
  return turns;
}

describe("a text that is made to take long", () => {
  test.each([
    ["(.{0,300}){3}[xz]", "abc def "],
    ["[a-z]{0,900}[XY]", "ab"],
    ["(a*){300}[c-z]", "ab"],
  ])("lets others have their turn while %j looks for itself", async (pattern, unit) => {
    const text = unit.repeat(20_000 / unit.length);
    const normalizing = normalizer.normalize(configRow([rule(pattern, "-")]), text);
    expect(await turnsDuring(normalizing)).toBeGreaterThan(0);
    // Found nothing, or given up: fast machines do it in time.
    expect((await normalizing).text).toBe(text);
  });

  test("is rewritten as any other if the rules are simple", async () => {
    const spoken = await normalized([rule("\\d{1,400}", "{digits}")], "room 12\n".repeat(50));
    expect(spoken).toBe("room one two\n".repeat(50));
  });
});

describe("saving", () => {
  test.each([
    [rule("a(?=b)", ""), "rules.1.pattern", /position 1.*\(\?=/],
    [rule("(a)\\1", ""), "rules.1.pattern", /position 3/],
    [rule("ab[c", ""), "rules.1.pattern", /position 2.*missing closing \]/],
    [rule("\\\\1\\1", ""), "rules.1.pattern", /position 3.*\\1/],
    [rule("[*]|*", ""), "rules.1.pattern", /position 4.*"\*"/],
    [rule("(?<n>a)(?<n>b)n", ""), "rules.1.pattern", /position 10.*duplicate.*"n"/],
    [rule("ab\\", ""), "rules.1.pattern", /position 2.*trailing backslash/],
    [rule("a(b)(c", ""), "rules.1.pattern", /position 4.*missing closing \), "\(c"/],
    [rule("[(]\\(\\Q(\\E(a", ""), "rules.1.pattern", /position 10.*missing closing \), "\(a"/],
    [rule("(a)[)])b", ""), "rules.1.pattern", /position 6.*unexpected \), "\)"/],
    [rule("((a{50}){50}){50}", ""), "rules.1.pattern", /position \d+/],
    [rule("(?:\\w{40}){40}", ""), "rules.1.pattern", /too complex|repeat/],
    [rule("(a)", "x$2"), "rules.1.replacement", /position 1.*no group 2/],
    [rule("a", "x $<name>"), "rules.1.replacement", /position 2.*"name"/],
    [rule("a", "{shout:$&}"), "rules.1.replacement", /position 0.*"shout".*number/],
    [rule("a", "{constructor:$&}"), "rules.1.replacement", /position 0.*"constructor".*number/],
    [rule("(a)", "{number:$3}"), "rules.1.replacement", /position 8.*no group 3/],
    [{ ...rule("a", ""), order: "first" }, "rules.1.order", /./],
    [rule("", "x"), "rules.1.pattern", /./],
    [rule("a".repeat(1_001), "x"), "rules.1.pattern", /./],
    [{ order: 1, pattern: "a" }, "rules.1.replacement", /./],
  ])("%j is refused with its place", (bad, attr, detail) => {
    const check = checkRules([rule("fine", ""), bad]);
    expect(check).toMatchObject({ ok: false, faults: [{ attr, code: "invalid" }] });
    expect(check.ok ? "" : check.faults[0]!.detail).toMatch(detail);
  });

  test("each wrong rule is named in the error", () => {
    const faults = [{ attr: "rules.0.pattern" }, { attr: "rules.2.replacement" }];
    const wrong = checkRules([rule("(", ""), rule("a", ""), rule("b", "$1")]);
    expect(wrong).toMatchObject({ ok: false, faults });
    expect(checkRules("none")).toMatchObject({ ok: false, faults: [{ attr: "rules" }] });
    const right = checkRules([{ order: 1, pattern: "a", replacement: "b" }]);
    expect(right).toEqual({ ok: true, rules: [rule("a", "b")] });
  });
});

describe("hooks", () => {
  /** A hook that responds with the result of `answer` for the request's body. */
  async function hook(
    answer: (body: { text: string; locale: unknown; args: unknown }) => unknown,
    status = 200,
  ) {
    const port = await serve((request, response) => {
      void json(request).then((sent) => {
        const body = answer(sent as Parameters<typeof answer>[0]);
        response.writeHead(status).end(typeof body === "string" ? body : JSON.stringify(body));
      });
    });
    return `http://127.0.0.1:${port}/`;
  }

  test("run before and after the rules, each with its own arguments", async () => {
    const url = await hook(({ text, locale, args }) => ({
      text: `${text}+${JSON.stringify([locale, args])}`,
    }));
    const fields = { hook_enabled: true, pre_hook_url: url, post_hook_url: url, pre_hook_args: { a: 1 } };
    const row = configRow([rule("[+]", "-")], fields);
    const result = await normalizer.normalize(row, "x", { locale: "ko" });
    expect(result).toEqual({ text: 'x-["ko",{"a":1}]+["ko",null]', faults: [] });
  });

  test("that are not enabled are not called", async () => {
    const row = configRow([], { pre_hook_url: "http://127.0.0.1:1/", hook_enabled: false });
    expect(await normalizer.normalize(row, "x")).toEqual({ text: "x", faults: [] });
  });

  test.each([
    ["an error status", 500, { text: "no" }],
    ["another shape", 200, { words: "no" }],
    ["no JSON", 200, "<html>"],
    ["a text that is too long", 200, { text: "x".repeat(30_000) }],
  ])("that answer with %s leave the text to the rules", async (_case, status, answer) => {
    const url = await hook(() => answer, status);
    const row = configRow([rule("x", "y")], { hook_enabled: true, pre_hook_url: url });
    const faults = [{ code: "pre_hook_failed" }];
    expect(await normalizer.normalize(row, "x")).toMatchObject({ text: "y", faults });
  });

  test("at a forbidden address are skipped", async () => {
    const guarded = createTextNormalizer(createOutboundCalls({ allowPrivate: false }));
    const row = configRow([], { hook_enabled: true, post_hook_url: "https://169.254.169.254/" });
    const faults = [{ code: "post_hook_failed", detail: "forbidden_address" }];
    expect(await guarded.normalize(row, "x")).toEqual({ text: "x", faults });
  });
});

describe("a text in pieces", () => {
  test("is one piece where it is what people say, also nothing", () => {
    expect(piecesFor("The chair costs 480 euros.", 150)).toEqual(["The chair costs 480 euros."]);
    expect(piecesFor("", 150)).toEqual([""]);
  });

  test.each([
    [10, 20_000],
    [200, 1_000],
    [2_000, 250],
    [1_000_000, 250],
  ])("without any boundary is cut for a program of %i instructions after %i letters", (size, length) => {
    const text = "1,".repeat(10_000);
    const pieces = piecesFor(text, size);
    expect(pieces.join("")).toBe(text);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBe(length);
  });

  test("ends each after a line, else after a sentence, else after a word", () => {
    const words = "ab ".repeat(400);
    const sentence = `${"ab ".repeat(50)}ab. `;
    expect(piecesFor(words, 2_000)[0]).toMatch(/ab $/);
    expect(piecesFor(sentence.repeat(10), 2_000)[0]).toBe(sentence);
    expect(piecesFor(`${sentence}ab\n${words}`, 2_000)[0]).toBe(`${sentence}ab\n`);
  });

  test("cuts no letter of two code units", () => {
    const text = `a${"😀".repeat(400)}`;
    const pieces = piecesFor(text, 2_000);
    expect(pieces.join("")).toBe(text);
    for (const piece of pieces) expect(piece.isWellFormed()).toBe(true);
  });
});
