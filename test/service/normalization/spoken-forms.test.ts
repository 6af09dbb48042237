import { expect, test } from "vitest";
import { addressWords, monthName, yearWords } from "../../../src/service/normalization/spoken-forms.ts";

test.each([
  ["1", "January"],
  ["12", "December"],
  ["13", "13"],
  ["0", "0"],
  ["jan", "January"],
  ["SEPT.", "September"],
  ["Augustus", "August"],
  ["x", "x"],
])("the month %s: %s", (text, name) => {
  expect(monthName(text)).toBe(name);
});

test.each([
  ["1905", "nineteen oh five"],
  ["1900", "nineteen hundred"],
  ["2000", "two thousand"],
  ["2005", "two thousand five"],
  ["2010", "twenty ten"],
  ["2026", "twenty twenty-six"],
  ["1066", "ten sixty-six"],
  ["800", "eight hundred"],
  ["20260", "twenty thousand two hundred sixty"],
  ["1000", "one thousand"],
  ["1100", "eleven hundred"],
  ["2100", "twenty-one hundred"],
  ["3009", "three thousand nine"],
])("the year %s: %s", (text, words) => {
  expect(yearWords(text, "en")).toBe(words);
});

test("a year follows the language, as far as it has words for it", () => {
  expect(yearWords("1905", undefined)).toBe("nineteen oh five");
  expect(yearWords("2005", "en-GB")).toBe("two thousand and five");
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
