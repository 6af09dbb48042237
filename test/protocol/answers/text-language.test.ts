import { expect, it } from "vitest";
import { textLanguage } from "../../../src/protocol/answers/text-language.ts";

it.each([
  ["The Alder chair is 68 cm wide.", "en-GB", "en-GB"],
  ["Der Stuhl ist 68 cm breit.", "de", "de"],
  ["네, 올더 의자는 폭이 68센티미터입니다.", "en", "ko"],
  ["Alder 의자는 IKEA 매장에 있습니다.", "en", "ko"],
  ["はい、椅子は幅68センチです。", "en", "ja"],
  ["東京都", "ja", "ja"],
  ["椅子宽68厘米。", "en", "zh"],
  ["椅子寬68公分。", "zh-Hant", "zh-Hant"],
  ["نعم، عرض الكرسي 68 سم.", "en", "ar"],
  ["صندلی ۶۸ سانتی‌متر است.", "fa-IR", "fa-IR"],
  ["כן, הכיסא ברוחב 68 ס״מ.", "en", "he"],
  ["Да, кресло узкое.", "uk", "uk"],
  ["Yes, in green.", "ko", "en"],
  ["68", "ko", "ko"],
  ["", "fr", "fr"],
  ["The word 椅子 means chair in Chinese.", "en", "en"],
])("%s in a conversation in %s is %s", (text, locale, language) => {
  expect(textLanguage(text, locale)).toBe(language);
});
