import { toCardinal as german, toOrdinal as germanOrdinal } from "n2words/de-DE";
import { toCardinal as british, toOrdinal as britishOrdinal } from "n2words/en-GB";
import { toCardinal as american, toOrdinal as americanOrdinal } from "n2words/en-US";
import { toCardinal as spanish, toOrdinal as spanishOrdinal } from "n2words/es-ES";
import { toCardinal as french, toOrdinal as frenchOrdinal } from "n2words/fr-FR";
import { toCardinal as italian, toOrdinal as italianOrdinal } from "n2words/it-IT";
import { toCardinal as japanese, toOrdinal as japaneseOrdinal } from "n2words/ja-JP";
import { toCardinal as korean, toOrdinal as koreanOrdinal } from "n2words/ko-KR";
import { toCardinal as portuguese, toOrdinal as portugueseOrdinal } from "n2words/pt-PT";

/** How a language says numbers. */
interface NumberWords {
  cardinal: (value: string) => string;
  ordinal: (value: string) => string;
  /** The sign before decimals in its writing; the other one of `.` and `,` parts thousands. */
  decimalSign: "." | ",";
  /** What is said for it. */
  point: string;
  /** What parts digits that are said one by one. */
  between: string;
}

const english = { decimalSign: ".", point: "point", between: " " } as const;

const americanEnglish: NumberWords = { ...english, cardinal: american, ordinal: americanOrdinal };

const languages: Record<string, NumberWords> = {
  en: americanEnglish,
  "en-us": americanEnglish,
  "en-gb": { ...english, cardinal: british, ordinal: britishOrdinal },
  ko: { cardinal: korean, ordinal: koreanOrdinal, decimalSign: ".", point: "점", between: "" },
  ja: { cardinal: japanese, ordinal: japaneseOrdinal, decimalSign: ".", point: "点", between: "" },
  de: { cardinal: german, ordinal: germanOrdinal, decimalSign: ",", point: "Komma", between: " " },
  fr: { cardinal: french, ordinal: frenchOrdinal, decimalSign: ",", point: "virgule", between: " " },
  es: { cardinal: spanish, ordinal: spanishOrdinal, decimalSign: ",", point: "coma", between: " " },
  it: { cardinal: italian, ordinal: italianOrdinal, decimalSign: ",", point: "virgola", between: " " },
  pt: { cardinal: portuguese, ordinal: portugueseOrdinal, decimalSign: ",", point: "vírgula", between: " " },
};

/** Longer numbers are codes; they are said digit by digit. */
const cardinalMaxDigits = 15;

function numberWordsFor(locale: string | undefined): NumberWords {
  const tag = (locale ?? "en").toLowerCase().replaceAll("_", "-");
  const [language = tag] = tag.split("-");
  return languages[tag] ?? languages[language] ?? americanEnglish;
}

/** Each digit by itself: "07" as "zero seven". What is no digit is left out. */
export function digitWords(text: string, locale: string | undefined): string {
  const { cardinal, between } = numberWordsFor(locale);
  return Array.from(text.replace(/\D/g, ""))
    .map((digit) => cardinal(digit))
    .join(between);
}

/** A number as it is written in the language ("1,234.50"), in words; decimals digit by digit. Other texts stay as they are. */
export function cardinalWords(text: string, locale: string | undefined): string {
  const { cardinal, decimalSign, point } = numberWordsFor(locale);
  const thousandsSign = decimalSign === "." ? "," : ".";
  const plain = text
    .trim()
    .replaceAll(thousandsSign, "")
    .replaceAll("−", "-")
    .replace(/[\s_']/g, "");
  const match = /^([-+]?)(\d+)(?:[.,](\d+))?$/.exec(plain);
  if (!match) return text;
  const [, sign = "", whole = "", decimals] = match;
  const coded = whole.length > cardinalMaxDigits || /^0\d/.test(whole);
  const said = coded ? digitWords(whole, locale) : cardinal(`${sign === "-" ? "-" : ""}${whole}`);
  return decimals === undefined ? said : `${said} ${point} ${digitWords(decimals, locale)}`;
}

/** "21" as "twenty-first". Other texts stay as they are. */
export function ordinalWords(text: string, locale: string | undefined): string {
  const digits = text.replace(/[,.\s]/g, "");
  if (!/^[1-9]\d*$/.test(digits) || digits.length > cardinalMaxDigits) return text;
  return numberWordsFor(locale).ordinal(digits);
}

const koreanOnes = ["", "한", "두", "세", "네", "다섯", "여섯", "일곱", "여덟", "아홉"];
const koreanTens = ["", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔"];

/** A Korean count before its counter: "3" (개) as "세", "20" (살) as "스무"; from 100 as a cardinal. */
export function koreanCount(text: string): string {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1 || value > 99) return cardinalWords(text, "ko");
  if (value === 20) return "스무";
  return `${koreanTens[Math.floor(value / 10)] ?? ""}${koreanOnes[value % 10] ?? ""}`;
}

const months = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** The English name of a month, from its number or the beginning of its name. Other texts stay as they are. */
export function monthName(text: string): string {
  const start = text.slice(0, 3).toLowerCase();
  return months[Number(text) - 1] ?? months.find((name) => name.toLowerCase().startsWith(start)) ?? text;
}

/** A year as it is said in English: "1905" as "nineteen oh five", "2026" as "twenty twenty-six". */
export function yearWords(text: string, locale: string | undefined): string {
  const year = Number(text);
  const [century, rest] = [Math.floor(year / 100), year % 100];
  const isPlain = text.length !== 4 || (century % 10 === 0 && rest < 10);
  if (isPlain) return cardinalWords(text, locale);
  const first = cardinalWords(String(century), locale);
  if (rest === 0) return `${first} hundred`;
  return rest < 10
    ? `${first} oh ${cardinalWords(String(rest), locale)}`
    : `${first} ${cardinalWords(String(rest), locale)}`;
}

type Sign = "." | "/" | "@" | "-" | "_" | "~" | "+" | "%";

const englishSigns: Readonly<Record<Sign, string>> = {
  ".": "dot",
  "/": "slash",
  "@": "at",
  "-": "dash",
  _: "underscore",
  "~": "tilde",
  "+": "plus",
  "%": "percent",
};

const koreanSigns: Readonly<Record<Sign, string>> = {
  ".": "점",
  "/": "슬래시",
  "@": "골뱅이",
  "-": "하이픈",
  _: "밑줄",
  "~": "물결표",
  "+": "플러스",
  "%": "퍼센트",
};

const isSign = (text: string): text is Sign => Object.hasOwn(englishSigns, text);

/** An address with its signs in words: "shop.example/help" as "shop dot example slash help". */
export function addressWords(text: string, language: string | undefined): string {
  const words = language?.toLowerCase().startsWith("ko") ? koreanSigns : englishSigns;
  return text.replace(/[./@_~+%-]/g, (sign) => (isSign(sign) ? ` ${words[sign]} ` : sign));
}
