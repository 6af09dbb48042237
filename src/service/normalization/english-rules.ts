import type { NormalizationRule } from "./normalization-rule.ts";

type Line = readonly [pattern: string, replacement: string, description: string, locale?: string];

const number = String.raw`\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?`;

const unit = (sign: string, forms: string): Line => [
  String.raw`(${number})\s?${sign}\b`,
  `{number:$1} {plural:$1:${forms}}`,
  `${sign} after a number`,
];

const currency = (sign: string, unitForms: string, cents: string): Line => [
  String.raw`${sign}\s?(${number})`,
  `{currency:$1:${unitForms}:${cents}}`,
  `amounts in ${unitForms.split("|")[1]}`,
];

/** Abbreviations, then amounts, units, ordinals and dates, then whatever number or sign is left, then pronunciation by locale. */
const lines: readonly Line[] = [
  [String.raw`\bDr\.\s+`, "Doctor ", "title"],
  [String.raw`\bMr\.\s+`, "Mister ", "title"],
  [String.raw`\bMrs\.\s+`, "Missus ", "title"],
  [String.raw`\bMs\.\s+`, "Miz ", "title"],
  [String.raw`\bProf\.\s+`, "Professor ", "title"],
  [String.raw`\bNo\.\s?(\d)`, "number $1", "number sign in words"],
  [String.raw`(?i)\be\.g\.`, "for example", "abbreviation"],
  [String.raw`(?i)\bi\.e\.`, "that is", "abbreviation"],
  [String.raw`(?i)\betc\.`, "et cetera.", "abbreviation"],
  [String.raw`(?i)\bapprox\.`, "approximately", "abbreviation"],
  [String.raw`(?i)\bvs\.`, "versus", "abbreviation"],
  [String.raw`\bSt\.\s+([A-Z])`, "Saint $1", "saint before a name"],
  [String.raw`\b([A-Z][a-z]+) St\.`, "$1 Street", "street after a name"],
  [String.raw`\bASAP\b`, "as soon as possible", "abbreviation"],
  [String.raw`(^|\s)[-−]([$€£¥₩]?\d)`, "$1minus $2", "negative number"],
  currency(String.raw`\$`, "dollar|dollars", "cent|cents"),
  currency("€", "euro|euros", "cent|cents"),
  currency("£", "pound|pounds", "penny|pence"),
  currency("¥", "yen|yen", ""),
  currency("₩", "won|won", ""),
  unit("kg", "kilogram|kilograms"),
  unit("km/h", "kilometer per hour|kilometers per hour"),
  unit("km", "kilometer|kilometers"),
  unit("cm", "centimeter|centimeters"),
  unit("mm", "millimeter|millimeters"),
  unit("min", "minute|minutes"),
  [String.raw`(${number})\s?°\s?C\b`, "{number:$1} degrees Celsius", "temperature"],
  [String.raw`(${number})\s?°\s?F\b`, "{number:$1} degrees Fahrenheit", "temperature"],
  [String.raw`(${number})\s?%`, "{number:$1} percent", "percentage"],
  [String.raw`\b(\d{1,2}):00\s?(?:o'clock)?\b`, "{number:$1} o'clock", "full hour"],
  [String.raw`\b(\d{1,2}):0(\d)\b`, "{number:$1} oh {number:$2}", "time of day"],
  [String.raw`\b(\d{1,2}):([1-5]\d)\b`, "{number:$1} {number:$2}", "time of day"],
  [String.raw`\b(\d+)(?:st|nd|rd|th)\b`, "{ordinal:$1}", "ordinal"],
  [String.raw`\b((?:\d{3,4}-)+\d{4})\b`, "{digits:$1}", "telephone number"],
  [String.raw`\b(${number})\b`, "{number:$1}", "number"],
  [String.raw`\s*&\s*`, " and ", "sign"],
  [String.raw`(\S)@(\S)`, "$1 at $2", "sign"],
  [String.raw`\s\+\s`, " plus ", "sign"],
  [String.raw`\s=\s`, " equals ", "sign"],
  [String.raw`#(\w)`, "number $1", "sign"],
  [String.raw`\b[Zz]ebra\b`, "zehbra", "British pronunciation", "en-GB"],
  [String.raw`\b[Ss]chedule(s|d)?\b`, "shedule$1", "British pronunciation", "en-GB"],
  [String.raw`\b[Ll]ieutenant\b`, "leftenant", "British pronunciation", "en-GB"],
  [String.raw`\b[Ss]chedule(s|d)?\b`, "skedule$1", "American pronunciation", "en-US"],
];

/** The built-in rules for English. */
export const englishRules: NormalizationRule[] = lines.map(
  ([pattern, replacement, description, locale], index) => ({
    order: (index + 1) * 10,
    pattern,
    replacement,
    locale: locale ?? null,
    description,
  }),
);
