import { addressLines, markupLines, type RuleLine as Line } from "./markup-rules.ts";
import type { NormalizationRule } from "./normalization-rule.ts";

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

const month =
  "(Jan(?:uary|\\.)?|Feb(?:ruary|\\.)?|Mar(?:ch|\\.)|Apr(?:il|\\.)?|May|June?|July?|Aug(?:ust|\\.)?|Sept?(?:ember|\\.)?|Oct(?:ober|\\.)?|Nov(?:ember|\\.)?|Dec(?:ember|\\.)?)";
const day = String.raw`0?([1-9]|[12]\d|3[01])`;
const monthNumber = String.raw`0?([1-9]|1[0-2])`;

/** Dates before numbers, so that a year is not read as a number. */
const dates: readonly Line[] = [
  [String.raw`\b(\d{4})-${monthNumber}-${day}\b`, "{month:$2} {ordinal:$3}, {year:$1}", "date"],
  [
    String.raw`\b${day}/${monthNumber}/(\d{4})\b`,
    "{ordinal:$1} of {month:$2}, {year:$3}",
    "British date",
    "en-GB",
  ],
  [String.raw`\b${monthNumber}/${day}/(\d{4})\b`, "{month:$1} {ordinal:$2}, {year:$3}", "date"],
  [
    String.raw`\b${month}\s+${day}(?:st|nd|rd|th)?,?\s+(\d{4})\b`,
    "{month:$1} {ordinal:$2}, {year:$3}",
    "date",
  ],
  [
    String.raw`\b${day}(?:st|nd|rd|th)?\s+${month}\s+(\d{4})\b`,
    "{ordinal:$1} of {month:$2}, {year:$3}",
    "date",
  ],
  [String.raw`(?i)\b(in|since|until|from|of|year)\s+((?:19|20)\d{2})\b`, "$1 {year:$2}", "year"],
];

const times: readonly Line[] = [
  [
    String.raw`(?i)\b(\d{1,2}):0(\d)\s?([ap])\.?m\b`,
    "{number:$1} oh {number:$2} {upper:$3} M",
    "time of day",
  ],
  [
    String.raw`(?i)\b(\d{1,2}):([1-5]\d)\s?([ap])\.?m\b`,
    "{number:$1} {number:$2} {upper:$3} M",
    "time of day",
  ],
  [String.raw`(?i)\b(\d{1,2})(?::00)?\s?([ap])\.?m\b`, "{number:$1} {upper:$2} M", "time of day"],
];

const million = (sign: string, unitName: string): Line => [
  String.raw`${sign}\s?(${number})\s?(thousand|million|billion)\b`,
  `{number:$1} $2 ${unitName}`,
  `large amounts in ${unitName}`,
];

/** Markdown and addresses, then abbreviations, then amounts, units, ordinals and dates, then the remaining numbers and signs, then pronunciation by locale. */
const lines: readonly Line[] = [
  ...markupLines,
  ...addressLines("en"),
  ...dates,
  ...times,
  [String.raw`\b24/7\b`, "twenty-four seven", "always"],
  [String.raw`\b1/2\b`, "one half", "fraction"],
  [String.raw`\b1/4\b`, "one quarter", "fraction"],
  [String.raw`\b3/4\b`, "three quarters", "fraction"],
  [String.raw`(\d)\s?–\s?([$€£]?\d)`, "$1 to $2", "range"],
  [String.raw`\bw/\s?`, "with ", "abbreviation"],
  [String.raw`\bMt\.\s+([A-Z])`, "Mount $1", "mountain"],
  [String.raw`\b([A-Z][a-z]+) Ave\.`, "$1 Avenue", "street after a name"],
  [String.raw`\b([A-Z][a-z]+) Rd\.`, "$1 Road", "street after a name"],
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
  million(String.raw`\$`, "dollars"),
  million("€", "euros"),
  million("£", "pounds"),
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
  unit("mph", "mile per hour|miles per hour"),
  unit("kWh", "kilowatt hour|kilowatt hours"),
  unit("GB", "gigabyte|gigabytes"),
  unit("MB", "megabyte|megabytes"),
  unit("mg", "milligram|milligrams"),
  unit("ml", "milliliter|milliliters"),
  unit("lbs?", "pound|pounds"),
  unit("oz", "ounce|ounces"),
  unit("ft", "foot|feet"),
  unit("g", "gram|grams"),
  unit("l", "liter|liters"),
  unit("h", "hour|hours"),
  [String.raw`(${number})\s?m²`, "{number:$1} square {plural:$1:meter|meters}", "m² after a number"],
  unit("m", "meter|meters"),
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
