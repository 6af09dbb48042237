import { addressLines, markupLines, type RuleLine as Line } from "./markup-rules.ts";
import type { NormalizationRule } from "./normalization-rule.ts";

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;

const unit = (sign: string, word: string): Line => [
  String.raw`(${number})\s?${sign}`,
  `{number:$1} ${word}`,
  `${word} 단위`,
];

/** Names that are spelled in Latin letters and said in Korean; only for Korean texts. */
const names: readonly (readonly [string, string])[] = [
  ["AI", "에이아이"],
  ["API", "에이피아이"],
  ["TV", "티브이"],
  ["PC", "피시"],
  ["URL", "유알엘"],
  ["OK", "오케이"],
  ["USB", "유에스비"],
];

/** Dates and times in digits. An hour up to twelve has a native numeral, a later one a Sino-Korean numeral. */
const datesAndTimes: readonly Line[] = [
  [
    String.raw`(\d{4})(?:-|\.\s?|/)0?([1-9]|1[0-2])(?:-|\.\s?|/)0?([1-9]|[12]\d|3[01])\b\.?`,
    "$1년 $2월 $3일",
    "날짜",
  ],
  [String.raw`\b6\s?월`, "유월", "날짜"],
  [String.raw`\b10\s?월`, "시월", "날짜"],
  [String.raw`\b(1[3-9]|2[0-4]):00\b`, "{number:$1} 시", "시각"],
  [String.raw`\b(1[3-9]|2[0-4]):0?([1-9]\d?)\b`, "{number:$1} 시 {number:$2} 분", "시각"],
  [String.raw`\b0?(\d{1,2}):00\b`, "{count:$1} 시", "시각"],
  [String.raw`\b0?(\d{1,2}):0?([1-9]\d?)\b`, "{count:$1} 시 {number:$2} 분", "시각"],
];

/** Markdown and addresses, then abbreviations, then units and counters, then the remaining numbers and signs, then Latin names for Korean texts. */
const lines: readonly Line[] = [
  ...markupLines,
  ...addressLines("ko"),
  ...datesAndTimes,
  [String.raw`(\d\S{0,3}?)\s?[~∼～]\s?(\d)`, "$1에서 $2", "범위"],
  [String.raw`\(주\)`, "주식회사 ", "약어"],
  ["㈜", "주식회사 ", "약어"],
  [String.raw`☎\s?`, "전화 ", "기호"],
  [String.raw`(^|\s)[-−](${number})\s?(?:℃|°\s?C)`, "$1영하 {number:$2} 도", "온도"],
  [String.raw`(^|\s)[-−]([₩$€]?\d)`, "$1마이너스 $2", "음수"],
  [String.raw`₩\s?(${number})`, "{number:$1} 원", "금액"],
  [String.raw`\$\s?(${number})`, "{number:$1} 달러", "금액"],
  [String.raw`€\s?(${number})`, "{number:$1} 유로", "금액"],
  [String.raw`((?:0\d{1,2}-)?\d{3,4}-\d{4})`, "{digits:$1}", "전화번호"],
  [String.raw`(${number})\s?%`, "{number:$1} 퍼센트", "백분율"],
  [String.raw`(${number})\s?(?:℃|°\s?C)`, "섭씨 {number:$1} 도", "온도"],
  unit("km/h", "킬로미터 퍼 아워"),
  unit("km", "킬로미터"),
  unit("cm", "센티미터"),
  unit("mm", "밀리미터"),
  unit("kg", "킬로그램"),
  unit("(?:m²|㎡)", "제곱미터"),
  unit("㎏", "킬로그램"),
  unit("㎞", "킬로미터"),
  unit("(?:mL|ml)", "밀리리터"),
  unit("mg", "밀리그램"),
  unit("GB", "기가바이트"),
  unit("MB", "메가바이트"),
  unit("kWh", "킬로와트시"),
  unit("g\\b", "그램"),
  unit("[Ll]\\b", "리터"),
  unit("m\\b", "미터"),
  [String.raw`\b(\d{1,2})시`, "{count:$1} 시", "시각"],
  [String.raw`\b(\d{1,2})\s?(개|명|살|마리|잔|병|권|대|장|벌|켤레|송이|번째)`, "{count:$1} $2", "고유어 수"],
  [String.raw`(${number})\s?(원|년|월|일|분|초|층|호|번|회|도|점|인분)`, "{number:$1} $2", "한자어 수"],
  [`(${number})`, "{number:$1}", "수"],
  [String.raw`\s*&\s*`, " 앤드 ", "기호"],
  [String.raw`\s\+\s`, " 더하기 ", "기호"],
  [String.raw`\s=\s`, " 는 ", "기호"],
  [String.raw`\s?@\s?`, " 골뱅이 ", "기호"],
  ...names.map(([latin, said]): Line => [String.raw`\b${latin}\b`, said, "발음", "ko"]),
];

/** The built-in rules for Korean. They say numbers in Korean whatever the text's locale. */
export const koreanRules: NormalizationRule[] = lines.map(
  ([pattern, replacement, description, locale], index) => ({
    order: (index + 1) * 10,
    pattern,
    replacement: replacement.replaceAll(/\{(number|digits):([^}]*)\}/g, "{$1:$2:ko}"),
    locale: locale ?? null,
    description,
  }),
);
