import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { risingQuestions } from "../../../../../src/service/speech/engines/flite/flite-synthesizer.ts";
import { visemesOf } from "../../../../../src/service/speech/engines/flite/phone-visemes.ts";
import { speechPieces, spokenTextOf } from "../../../../../src/service/speech/engines/flite/speech-pieces.ts";
import { spokenTokens } from "../../../../../src/service/speech/engines/flite/spoken-text.ts";
import { alignWords } from "../../../../../src/service/speech/engines/flite/utterance.ts";

describe("cutting a text into pieces", () => {
  const pieceTexts = (text: string): string[] => speechPieces(spokenTokens(text)).map(spokenTextOf);

  it("keeps a short text whole", () => {
    expect(pieceTexts("Hello there. How are you?")).toEqual(["Hello there. How are you?"]);
  });

  it("splits at the end of a sentence, but not after an abbreviation", () => {
    const long =
      "The quick brown fox jumps over the lazy dog near the river bank every single morning" +
      " while Dr. Smith watches it from his window with a cup of tea in his hand.";
    expect(pieceTexts(`${long} ${long} ${long}`)).toEqual([long, long, long]);
  });

  it("splits a very long sentence at commas", () => {
    const pieces = pieceTexts("and another thing about chairs that nobody asked for, ".repeat(20).trim());
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.endsWith(",")).toBe(true);
  });

  it("loses no word and makes no piece too long, for any text", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{1,40}[.,!?]?$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 120 }), (words) => {
        const pieces = speechPieces(spokenTokens(words.join(" ")));
        expect(pieces.flat().map(({ written }) => written)).toEqual(words);
        for (const piece of pieces) expect(spokenTextOf(piece).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

test.each([
  ["word café", "cafe"],
  ["word “Straße”", '"Strasse"'],
  ["word €500", "500 euros"],
  ["word 20°C", "20 degrees Celsius"],
  ["word 40×80", "40 by 80"],
  ["word **bold**", "bold"],
  ["word 🙂", ""],
  ["word —", ""],
  ["The Korean greeting for everyone is 안녕하세요", ""],
])("the last of “%s” is said as “%s”", (text, spoken) => {
  expect(spokenTokens(text).at(-1)).toEqual({ written: text.split(" ").at(-1), spoken });
});

describe("a question", () => {
  const markup = (text: string): string => risingQuestions(spokenTokens(text));

  it("rises in its last words, an open one less, and statements stay", () => {
    expect(markup("It is open. Do you want a map?")).toBe(
      '<speak>It is open. Do you want <prosody pitch="1.08">a</prosody> <prosody pitch="1.22">map?</prosody></speak>',
    );
    expect(markup("Where is it? Over there.")).toBe(
      '<speak>Where is <prosody pitch="1.08">it?</prosody> Over there.</speak>',
    );
  });

  it("makes no markup of what a text contains", () => {
    expect(markup('Is <break time="9s"/> R&D "open"?')).not.toMatch(/<(?!\/?(?:speak|prosody)\b)|&/);
  });
});

/** Phones of 100 ms each. */
const phones = (text: string) =>
  text.split(" ").map((phone, index) => ({ phone, start: index * 100, end: (index + 1) * 100 }));

test.each([
  ["of its own sounds", "pau hh ax l ow pau w er l d pau", "hh ax l ow|w er l d", "100-500 600-1000"],
  [
    "with reduced and added sounds",
    "ax f r eh n d ax m ay n",
    "ey|f r eh n d|ah v|m ay n",
    "0-100 100-600 600-700 700-1000",
  ],
  ["between its neighbours without a sound", "hh ay pau y uw", "hh ay||y uw", "0-200 200-200 300-500"],
])("each word has the time %s", (_what, said, words, times) => {
  const spans = alignWords(
    phones(said),
    words.split("|").map((word) => word.split(" ").filter(Boolean)),
  );
  expect(spans.map(({ start, end }) => `${start}-${end}`).join(" ")).toBe(times);
});

test("mouth shapes of phones merge equal neighbours and move through diphthongs", () => {
  expect(visemesOf(phones("pau p b ay"))).toEqual([
    { viseme: "sil", start: 0, end: 100 },
    { viseme: "PP", start: 100, end: 300 },
    { viseme: "aa", start: 300, end: 360 },
    { viseme: "ih", start: 360, end: 400 },
  ]);
});
