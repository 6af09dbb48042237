import { cardinalWords } from "./number-words.ts";

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

const english: Readonly<Record<Sign, string>> = {
  ".": "dot",
  "/": "slash",
  "@": "at",
  "-": "dash",
  _: "underscore",
  "~": "tilde",
  "+": "plus",
  "%": "percent",
};

const korean: Readonly<Record<Sign, string>> = {
  ".": "점",
  "/": "슬래시",
  "@": "골뱅이",
  "-": "하이픈",
  _: "밑줄",
  "~": "물결표",
  "+": "플러스",
  "%": "퍼센트",
};

const isSign = (text: string): text is Sign => Object.hasOwn(english, text);

/** An address with its signs in words: "shop.example/help" as "shop dot example slash help". */
export function addressWords(text: string, language: string | undefined): string {
  const words = language?.toLowerCase().startsWith("ko") ? korean : english;
  return text.replace(/[./@_~+%-]/g, (sign) => (isSign(sign) ? ` ${words[sign]} ` : sign));
}
