import { expect, test } from "vitest";
import { createOutboundCalls } from "../../../src/service/outbound/outbound-calls.ts";
import { englishRules } from "../../../src/service/normalization/english-rules.ts";
import { koreanRules } from "../../../src/service/normalization/korean-rules.ts";
import { checkRules } from "../../../src/service/normalization/compiled-rule.ts";
import { createTextNormalizer } from "../../../src/service/normalization/text-normalizer.ts";
import { configRow } from "./config-row.ts";

const normalizer = createTextNormalizer(createOutboundCalls({ allowPrivate: false }));

test.each<[text: string, spoken: string, locale?: string]>([
  ["Dr. Smith paid $12.50 for 3 lamps.", "Doctor Smith paid twelve dollars and fifty cents for three lamps."],
  ["It is 1 km, or 2.5 km by bus.", "It is one kilometer, or two point five kilometers by bus."],
  ["Up to 30% off, e.g. chairs & sofas", "Up to thirty percent off, for example chairs and sofas"],
  ["The 21st of May at 9:00, not 9:05", "The twenty-first of May at nine o'clock, not nine oh five"],
  ["1,234,567", "one million two hundred thirty-four thousand five hundred sixty-seven"],
  ["1234567", "one million two hundred thirty-four thousand five hundred sixty-seven"],
  ["12,345.678", "twelve thousand three hundred forty-five point six seven eight"],
  ["Call 555-0199", "Call five five five zero one nine nine"],
  ["It was -5 °C.", "It was minus five degrees Celsius."],
  ["5 °F", "five degrees Fahrenheit"],
  ["€1 and £2.05", "one euro and two pounds and five pence"],
  ["€1.05, £1.01, ¥3", "one euro and five cents, one pound and one penny, three yen"],
  ["₩2, ¥1.5, ¥1", "two won, one point five yen, one yen"],
  ["$5.5, $5.555", "five dollars and fifty cents, five point five five five dollars"],
  ["$0.50, $1.00", "zero dollars and fifty cents, one dollar"],
  ["€2 million and £3 billion", "two million euros and three billion pounds"],
  ["Prof. Lee, 40 cm vs. 1 cm", "Professor Lee, forty centimeters versus one centimeter"],
  ["Nothing to do here.", "Nothing to do here."],
  [
    "## Delivery\n- **Fast**: `2` days\n- _Free_ over $50",
    "Delivery\nFast: two days\nFree over fifty dollars",
  ],
  ["See [the list](https://shop.example/a_(b)) and ~~old~~ ![lamp](l.png)", "See the list and old lamp"],
  ["It is 5 * 3 * 2", "It is five * three * two"],
  ["a __b__ *c* _d_", "a b c d"],
  ["---\n* * *\n```js\ncode\n```\n> quote\n+ [x] item\n• dot", "\n\n\ncode\n\nquote\nitem\ndot"],
  ["Go to https://www.shop.example/help/me?x=1.", "Go to shop dot example slash help slash me."],
  ["www.shop.example/a_b~c-d", "shop dot example slash a underscore b tilde c dash d"],
  ["Write to ann-lee@mail.shop.example.", "Write to ann dash lee at mail dot shop dot example."],
  ["ann+lee%x_y@a.example", "ann plus lee percent x underscore y at a dot example"],
  ["me@home", "me at home"],
  ["On 2026-11-22", "On November twenty-second, twenty twenty-six"],
  ["On 12/05/2025", "On December fifth, twenty twenty-five"],
  ["12/05/2025", "twelfth of May, twenty twenty-five", "en-GB"],
  ["3rd March 2001", "third of March, two thousand one"],
  ["Aug. 3, 2020", "August third, twenty twenty"],
  ["Sept 4 1999", "September fourth, nineteen ninety-nine"],
  ["Since 1905, from March 3, 2001", "Since nineteen oh five, from March third, two thousand one"],
  ["It opened in 1998 and in 2005.", "It opened in nineteen ninety-eight and in two thousand five."],
  ["year 2000, in 1900, from 1905", "year two thousand, in nineteen hundred, from nineteen oh five"],
  ["From 9 am to 5:30 p.m., 24/7", "From nine A M to five thirty P M., twenty-four seven"],
  ["Meet at 9:05 am.", "Meet at nine oh five A M."],
  ["At 10:30", "At ten thirty"],
  ["$2.5 million, 10–12 kg", "two point five million dollars, ten to twelve kilograms"],
  ["3 ft, 20 m²", "three feet, twenty square meters"],
  ["60 km/h, 3 mm, 5 min", "sixty kilometers per hour, three millimeters, five minutes"],
  ["60 mph, 2 kWh", "sixty miles per hour, two kilowatt hours"],
  ["8 GB, 9 MB, 4 mg", "eight gigabytes, nine megabytes, four milligrams"],
  ["6 ml, 2 lbs, 1 lb", "six milliliters, two pounds, one pound"],
  [
    "7 oz, 5 g, 2 l, 3 h, 4 m, 1 m",
    "seven ounces, five grams, two liters, three hours, four meters, one meter",
  ],
  ["1/2, 1/4 and 3/4", "one half, one quarter and three quarters"],
  ["w/ milk", "with milk"],
  ["Mt. Fuji", "Mount Fuji"],
  ["Park Ave. and Mill Rd.", "Park Avenue and Mill Road"],
  ["St. Paul is in Mill St. today", "Saint Paul is in Mill Street today"],
  ["Mr. A, Mrs. B and Ms. C", "Mister A, Missus B and Miz C"],
  ["No. 5", "number five"],
  ["#1", "number one"],
  ["nuts, i.e. almonds, etc. approx. 3", "nuts, that is almonds, et cetera. approximately three"],
  ["ASAP", "as soon as possible"],
  ["1 + 1 = 2", "one plus one equals two"],
  ["the first -5 or −5", "the first minus five or minus five"],
  ["It is a - b", "It is a - b"],
  ["The schedule has 105 pages.", "The schedule has one hundred five pages."],
  ["The schedule has 105 pages.", "The schedule has one hundred five pages.", "en"],
  ["The schedule has 105 pages.", "The shedule has one hundred and five pages.", "en-GB"],
  ["The schedule has 105 pages.", "The skedule has one hundred five pages.", "EN_us"],
  ["Zebra schedules, scheduled, lieutenant", "zehbra shedules, sheduled, leftenant", "en-GB"],
])("English: %s", async (text, spoken, locale) => {
  expect((await normalizer.normalize(configRow(englishRules), text, { locale })).text).toBe(spoken);
});

test.each<[text: string, spoken: string, locale?: string]>([
  ["가격은 12,000원입니다.", "가격은 만 이천 원입니다."],
  ["의자 3개와 20살", "의자 세 개와 스무 살"],
  ["99번째, 21명", "아흔아홉 번째, 스물한 명"],
  ["오후 3시 30분", "오후 세 시 삼십 분"],
  ["15:00, 3:00, 15:30", "십오 시, 세 시, 십오 시 삼십 분"],
  ["3시", "세 시"],
  ["할인 50%", "할인 오십 퍼센트"],
  ["전화 010-1234-5678", "전화 영일영일이삼사오육칠팔"],
  ["☎ 1", "전화 일"],
  ["원주율은 3.14", "원주율은 삼 점 일사"],
  ["1.5", "일 점 오"],
  ["(주)가구", "주식회사 가구"],
  ["㈜가구", "주식회사 가구"],
  ["온도는 -5℃", "온도는 영하 오 도"],
  ["20℃, 20 °C", "섭씨 이십 도, 섭씨 이십 도"],
  ["-5, -₩5", "마이너스 오, 마이너스 오 원"],
  ["₩5, $6, €7", "오 원, 육 달러, 칠 유로"],
  ["폭 40cm, 무게 12kg", "폭 사십 센티미터, 무게 십이 킬로그램"],
  ["60km/h, 5km, 3mm", "육십 킬로미터 퍼 아워, 오 킬로미터, 삼 밀리미터"],
  ["9m², 9㎡", "구 제곱미터, 구 제곱미터"],
  ["5㎏, 6㎞, 4mg, 8GB", "오 킬로그램, 육 킬로미터, 사 밀리그램, 팔 기가바이트"],
  ["9MB, 2kWh, 3L, 4m, 5mL", "구 메가바이트, 이 킬로와트시, 삼 리터, 사 미터, 오 밀리리터"],
  ["물 500ml와 설탕 20g", "물 오백 밀리리터와 설탕 이십 그램"],
  ["## 배송\n- **빠른** 배송 `3일`", "배송\n빠른 배송 삼 일"],
  ["[목록](https://shop.example/list)을 보세요", "목록을 보세요"],
  ["https://www.shop.example/help 에서", "shop 점 example 슬래시 help 에서"],
  ["help@shop.example 로", "help 골뱅이 shop 점 example 로"],
  ["a @ b", "a 골뱅이 b"],
  ["2026-10-05에 만나요", "이천이십육 년 시월 오 일에 만나요"],
  ["2026. 6. 1.", "이천이십육 년 유월 일 일"],
  ["2026/12/31.", "이천이십육 년 십이 월 삼십일 일"],
  ["10월 6월", "시월 유월"],
  ["오후 3:30, 14:05, 9:00", "오후 세 시 삼십 분, 십사 시 오 분, 아홉 시"],
  ["10~12개", "십에서 열두 개"],
  ["A & B", "A 앤드 B"],
  ["1 + 1 = 2", "일 더하기 일 는 이"],
  // Latin names are spelled in Korean in Korean texts alone.
  ["API TV PC URL OK USB", "에이피아이 티브이 피시 유알엘 오케이 유에스비", "ko"],
  ["AI 2대", "에이아이 두 대", "ko-KR"],
  ["AI 2대", "AI 두 대"],
])("Korean: %s", async (text, spoken, locale) => {
  expect((await normalizer.normalize(configRow(koreanRules), text, { locale })).text).toBe(spoken);
});

test("built-in rules are accepted when they are saved, and numbered by tens, so that others fit between them", () => {
  for (const rules of [englishRules, koreanRules]) {
    expect(checkRules(rules)).toMatchObject({ ok: true });
    expect(rules.map(({ order }) => order)).toEqual(rules.map((_, index) => 10 * (index + 1)));
  }
});
