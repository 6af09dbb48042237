import { describe, expect, it } from "vitest";
import { visemesOf } from "../../../../../src/service/speech/engines/flite/phone-visemes.ts";
import { alignWords } from "../../../../../src/service/speech/engines/flite/utterance.ts";

/** Phones of 100 ms each. */
const phones = (text: string) =>
  text.split(" ").map((phone, index) => ({ phone, start: index * 100, end: (index + 1) * 100 }));

describe("finding words in an utterance", () => {
  it("gives each word the time of its own sounds", () => {
    const spans = alignWords(phones("pau hh ax l ow pau w er l d pau"), [
      ["hh", "ax", "l", "ow"],
      ["w", "er", "l", "d"],
    ]);
    expect(spans).toEqual([
      { start: 100, end: 500 },
      { start: 600, end: 1_000 },
    ]);
  });

  it("finds words with reduced and added sounds", () => {
    const spans = alignWords(phones("ax f r eh n d ax m ay n"), [
      ["ey"],
      ["f", "r", "eh", "n", "d"],
      ["ah", "v"],
      ["m", "ay", "n"],
    ]);
    expect(spans[1]).toEqual({ start: 100, end: 600 });
    expect(spans[2]).toEqual({ start: 600, end: 700 });
    expect(spans[3]).toEqual({ start: 700, end: 1_000 });
  });

  it("places a silent word between its neighbours", () => {
    const spans = alignWords(phones("hh ay pau y uw"), [["hh", "ay"], [], ["y", "uw"]]);
    expect(spans[1]).toEqual({ start: 200, end: 200 });
  });
});

describe("mouth shapes of phones", () => {
  it("merge equal neighbours and move through diphthongs", () => {
    expect(visemesOf(phones("pau p b ay"))).toEqual([
      { viseme: "sil", start: 0, end: 100 },
      { viseme: "PP", start: 100, end: 300 },
      { viseme: "aa", start: 300, end: 360 },
      { viseme: "ih", start: 360, end: 400 },
    ]);
  });
});
