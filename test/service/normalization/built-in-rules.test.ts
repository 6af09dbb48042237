import { expect, test } from "vitest";
import { createGuardedFetch } from "../../../src/service/guarded-fetch.ts";
import { englishRules } from "../../../src/service/normalization/english-rules.ts";
import { koreanRules } from "../../../src/service/normalization/korean-rules.ts";
import { checkRules } from "../../../src/service/normalization/rule-check.ts";
import { createTextNormalizer } from "../../../src/service/normalization/text-normalizer.ts";
import { configRow } from "./config-row.ts";

const normalizer = createTextNormalizer(createGuardedFetch());

test.each([
  ["Dr. Smith paid $12.50 for 3 lamps.", "Doctor Smith paid twelve dollars and fifty cents for three lamps."],
  ["It is 1 km, or 2.5 km by bus.", "It is one kilometer, or two point five kilometers by bus."],
  ["Up to 30% off, e.g. chairs & sofas", "Up to thirty percent off, for example chairs and sofas"],
  ["The 21st of May at 9:00, not 9:05", "The twenty-first of May at nine o'clock, not nine oh five"],
  ["1,234,567 people", "one million two hundred thirty-four thousand five hundred sixty-seven people"],
  ["Call 555-0199", "Call five five five zero one nine nine"],
  ["It was -5 °C.", "It was minus five degrees Celsius."],
  ["€1 and £2.05", "one euro and two pounds and five pence"],
  ["Prof. Lee, 40 cm vs. 1 cm", "Professor Lee, forty centimeters versus one centimeter"],
  ["Nothing to do here.", "Nothing to do here."],
])("English: %s", async (text, spoken) => {
  expect((await normalizer.normalize(configRow(englishRules), text)).text).toBe(spoken);
});

test("English pronunciation and numbers follow the locale", async () => {
  const say = async (locale?: string) =>
    (await normalizer.normalize(configRow(englishRules), "The schedule has 105 pages.", { locale })).text;
  expect(await say()).toBe("The schedule has one hundred five pages.");
  expect(await say("en")).toBe("The schedule has one hundred five pages.");
  expect(await say("en-GB")).toBe("The shedule has one hundred and five pages.");
  expect(await say("EN_us")).toBe("The skedule has one hundred five pages.");
});

test.each([
  ["가격은 12,000원입니다.", "가격은 만 이천 원입니다."],
  ["의자 3개와 20살", "의자 세 개와 스무 살"],
  ["오후 3시 30분", "오후 세 시 삼십 분"],
  ["할인 50%", "할인 오십 퍼센트"],
  ["전화 010-1234-5678", "전화 영일영일이삼사오육칠팔"],
  ["원주율은 3.14", "원주율은 삼 점 일사"],
  ["(주)가구", "주식회사 가구"],
  ["온도는 -5℃", "온도는 영하 오 도"],
  ["폭 40cm, 무게 12kg", "폭 사십 센티미터, 무게 십이 킬로그램"],
])("Korean: %s", async (text, spoken) => {
  expect((await normalizer.normalize(configRow(koreanRules), text)).text).toBe(spoken);
});

test("Korean says Latin names in Korean for Korean texts alone", async () => {
  const say = async (locale?: string) =>
    (await normalizer.normalize(configRow(koreanRules), "AI 2대", { locale })).text;
  expect(await say("ko-KR")).toBe("에이아이 두 대");
  expect(await say()).toBe("AI 두 대");
});

test("every built-in rule may be saved", () => {
  expect(checkRules(englishRules)).toMatchObject({ ok: true });
  expect(checkRules(koreanRules)).toMatchObject({ ok: true });
});
