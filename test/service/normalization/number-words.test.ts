import { describe, expect, test } from "vitest";
import {
  cardinalWords,
  digitWords,
  koreanCount,
  ordinalWords,
} from "../../../src/service/normalization/spoken-forms.ts";

describe("a number in words", () => {
  test.each<[string, string | undefined, string]>([
    ["2.5", "en", "two point five"],
    ["2,5", "de", "zwei Komma fünf"],
    [
      "1.234.567,05",
      "de",
      "eine Million zweihundertvierunddreißigtausendfünfhundertsiebenundsechzig Komma null fünf",
    ],
    ["2,5", "fr", "deux virgule cinq"],
    ["2,5", "es", "dos coma cinco"],
    ["2,5", "it", "due virgola cinque"],
    ["2,5", "pt-BR", "dois vírgula cinco"],
    ["2.5", "ja", "二 点 五"],
    ["2.5", "ko", "이 점 오"],
    ["12", "zh", "twelve"],
    ["1,234", "en", "one thousand two hundred thirty-four"],
    ["-3", "en", "minus three"],
    ["-3", "ko", "마이너스 삼"],
    ["+3", "en", "three"],
    ["-3", "ja", "マイナス三"],
    ["abc", "en", "abc"],
    ["1a", "en", "1a"],
    ["a1", "en", "a1"],
    ["0", "en", "zero"],
    ["007", "en", "zero zero seven"],
    [
      "999999999999999",
      "en",
      "nine hundred ninety-nine trillion nine hundred ninety-nine billion nine hundred ninety-nine million nine hundred ninety-nine thousand nine hundred ninety-nine",
    ],
    [
      "9999999999999999",
      "en",
      "nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine nine",
    ],
    ["21", "en-GB", "twenty-one"],
    ["105", "en_GB", "one hundred and five"],
    ["105", "EN-gb", "one hundred and five"],
    ["1.5", undefined, "one point five"],
    ["0.5", "en", "zero point five"],
    ["0123", "ko", "영일이삼"],
    ["1,5", "en", "fifteen"],
    ["１２", "ja", "１２"],
    ["10", "ja", "十"],
    ["20000", "ja", "二万"],
  ])("%s in %s: %s", (text, locale, words) => {
    expect(cardinalWords(text, locale)).toBe(words);
  });

  test.each([
    ["−3", "minus three"],
    [" 1 000 ", "one thousand"],
    ["1'000_000", "one million"],
  ])("%s, as it is written elsewhere: %s", (text, words) => {
    expect(cardinalWords(text, "en")).toBe(words);
  });
});

test.each([
  ["1", "en", "first"],
  ["21", "de", "einundzwanzigste"],
  ["3", "fr", "troisième"],
  ["4", "es", "cuarto"],
  ["5", "it", "quinto"],
  ["6", "pt", "sexto"],
  ["7", "ja", "第七"],
  ["8", "ko", "제팔"],
  ["0", "en", "0"],
  ["01", "en", "01"],
  ["x1", "en", "x1"],
  ["1x", "en", "1x"],
  ["9999999999999999", "en", "9999999999999999"],
  ["1,000", "en", "one thousandth"],
  ["2", "zh", "second"],
])("the place %s in %s: %s", (text, locale, words) => {
  expect(ordinalWords(text, locale)).toBe(words);
});

test.each([
  ["907", "en", "nine zero seven"],
  ["907", "de", "neun null sieben"],
  ["907", "ko", "구영칠"],
  ["907", "ja", "九零七"],
  ["555-01", "en", "five five five zero one"],
  ["a1", "en", "one"],
  ["", "en", ""],
  ["+43 316", "en", "four three three one six"],
])("the digits of %j in %s: %s", (text, locale, words) => {
  expect(digitWords(text, locale)).toBe(words);
});

test.each([
  ["1", "한"],
  ["2", "두"],
  ["19", "열아홉"],
  ["20", "스무"],
  ["21", "스물한"],
  ["30", "서른"],
  ["99", "아흔아홉"],
  ["100", "백"],
  ["0", "영"],
  ["x", "x"],
  ["01", "한"],
  ["1000", "천"],
])("a Korean count of %s: %s", (text, words) => {
  expect(koreanCount(text)).toBe(words);
});
