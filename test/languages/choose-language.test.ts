import { expect, it } from "vitest";
import { chooseLanguage, languageOfTexts } from "../../src/languages/choose-language.ts";

it.each([
  ["de-AT", "de"],
  ["EN-gb", "en"],
  ["pt", "pt-BR"],
  ["pt-PT", "pt-BR"],
  ["zh", "zh-Hans"],
  ["zh-CN", "zh-Hans"],
  ["zh-TW", "zh-Hant"],
  ["zh_HK", "zh-Hant"],
  ["zh-Hant-MO", "zh-Hant"],
  ["iw", "he"],
  ["sv", null],
  ["", null],
  ["<b>", null],
])("the texts for %s are those of %s", (tag, texts) => {
  expect(languageOfTexts(tag)).toBe(texts);
});

it.each([
  { wanted: ["sv", "en"], limit: undefined, chosen: "sv" },
  { wanted: ["", "ko"], limit: [], chosen: "ko" },
  { wanted: ["de-AT"], limit: ["en", "de"], chosen: "de-AT" },
  { wanted: ["fr", "ja-JP", "en"], limit: ["en", "ja"], chosen: "ja-JP" },
  { wanted: ["zh-TW"], limit: ["zh-Hans", "en"], chosen: "zh-Hans" },
  { wanted: ["fr"], limit: ["sv", "en"], chosen: "sv" },
  { wanted: ["sv-FI"], limit: ["sv"], chosen: "sv-FI" },
  { wanted: [], limit: undefined, chosen: "en" },
])("of $wanted, with the limit $limit, $chosen is chosen", ({ wanted, limit, chosen }) => {
  expect(chooseLanguage(wanted, limit)).toBe(chosen);
});
