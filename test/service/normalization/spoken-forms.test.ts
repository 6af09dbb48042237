import { expect, test } from "vitest";
import {
  addressWords,
  cardinalWords,
  digitWords,
  koreanCount,
  monthName,
  ordinalWords,
  yearWords,
} from "../../../src/service/normalization/spoken-forms.ts";

const nines = "nine hundred ninety-nine";

test.each<[string, string | undefined, string]>([
  ["2.5", "en", "two point five"],
  ["2,5", "de", "zwei Komma fünf"],
  ["1.234,05", "de", "eintausendzweihundertvierunddreißig Komma null fünf"],
  ["1.000.567", "de", "eine Million fünfhundertsiebenundsechzig"],
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
  ["9".repeat(15), "en", `${nines} trillion ${nines} billion ${nines} million ${nines} thousand ${nines}`],
  ["9".repeat(16), "en", "nine ".repeat(16).trim()],
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
  // As numbers are written elsewhere.
  ["−3", "en", "minus three"],
  [" 1 000 ", "en", "one thousand"],
  ["1'000_000", "en", "one million"],
])("the number %s in %s: %s", (text, locale, words) => {
  expect(cardinalWords(text, locale)).toBe(words);
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

test("Korean counts", () => {
  const counts = ["1", "2", "19", "20", "21", "30", "99", "100", "0", "x", "01", "1000"].map(koreanCount);
  expect(counts.join(" ")).toBe("한 두 열아홉 스무 스물한 서른 아흔아홉 백 영 x 한 천");
});

test("names of months", () => {
  const names = ["1", "12", "13", "0", "jan", "SEPT.", "Augustus", "x"].map(monthName);
  expect(names.join(" ")).toBe("January December 13 0 January September August x");
});

test.each<[string, string, string?]>([
  ["1905", "nineteen oh five"],
  ["1905", "nineteen oh five", "en"],
  ["1900", "nineteen hundred"],
  ["2000", "two thousand"],
  ["2005", "two thousand five"],
  ["2005", "two thousand and five", "en-GB"],
  ["2010", "twenty ten"],
  ["2026", "twenty twenty-six"],
  ["1066", "ten sixty-six"],
  ["800", "eight hundred"],
  ["20260", "twenty thousand two hundred sixty"],
  ["1000", "one thousand"],
  ["1100", "eleven hundred"],
  ["2100", "twenty-one hundred"],
  ["3009", "three thousand nine"],
])("the year %s: %s", (text, words, locale) => {
  expect(yearWords(text, locale)).toBe(words);
});

test.each<[string, string | undefined, string]>([
  ["a.b/c@d-e_f~g+h%i", "en", "a dot b slash c at d dash e underscore f tilde g plus h percent i"],
  ["a.b/c@d-e_f~g+h%i", "ko-KR", "a 점 b 슬래시 c 골뱅이 d 하이픈 e 밑줄 f 물결표 g 플러스 h 퍼센트 i"],
  ["a.b", "KO", "a 점 b"],
  ["a.b", undefined, "a dot b"],
  ["a:b", "en", "a:b"],
])("the address %s in %s: %s", (text, language, words) => {
  expect(addressWords(text, language)).toBe(words);
});
