import type { NormalizationRule } from "./normalization-rule.ts";

type Line = readonly [pattern: string, replacement: string, description: string, locale?: string];

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

/** Abbreviations, then units and counters, then whatever number or sign is left, then Latin names for Korean texts. */
const lines: readonly Line[] = [
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
  unit("m²", "제곱미터"),
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
