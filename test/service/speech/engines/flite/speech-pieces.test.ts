import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { speechPieces, spokenTextOf } from "../../../../../src/service/speech/engines/flite/speech-pieces.ts";
import { spokenTokens } from "../../../../../src/service/speech/engines/flite/spoken-text.ts";

const pieceTexts = (text: string): string[] => speechPieces(spokenTokens(text)).map(spokenTextOf);

describe("cutting a text into pieces", () => {
  it("keeps a short text whole", () => {
    expect(pieceTexts("Hello there. How are you?")).toEqual(["Hello there. How are you?"]);
  });

  it("splits at the end of a sentence, but not after an abbreviation", () => {
    const long =
      "The quick brown fox jumps over the lazy dog near the river bank every single morning".concat(
        " while Dr. Smith watches it from his window with a cup of tea in his hand.",
      );
    expect(pieceTexts(`${long} ${long} ${long}`)).toEqual([long, long, long]);
  });

  it("splits a very long sentence at commas", () => {
    const clause = "and another thing about chairs that nobody asked for,";
    const pieces = pieceTexts(Array.from({ length: 20 }, () => clause).join(" "));
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.endsWith(",")).toBe(true);
  });

  it("loses no word and makes no piece too long, for any text", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{1,40}[.,!?]?$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 120 }), (words) => {
        const text = words.join(" ");
        const pieces = speechPieces(spokenTokens(text));
        expect(pieces.flat().map(({ written }) => written)).toEqual(words);
        for (const piece of pieces) expect(spokenTextOf(piece).length).toBeLessThanOrEqual(300);
      }),
    );
  });
});

describe("the spoken form of a text", () => {
  it.each([
    ["café", "cafe"],
    ["“Straße”", '"Strasse"'],
    ["€500", "500 euros"],
    ["20°C", "20 degrees Celsius"],
    ["40×80", "40 by 80"],
    ["**bold**", "bold"],
    ["🙂", ""],
    ["—", ""],
  ])("%s is said as %s", (written, spoken) => {
    expect(spokenTokens(`word ${written}`)[1]).toEqual({ written, spoken });
  });

  it("includes a foreign word in a mostly English text", () => {
    const tokens = spokenTokens("The Korean greeting 안녕하세요 means hello to everyone");
    expect(tokens.find(({ written }) => written === "안녕하세요")?.spoken).toBe("");
  });
});
