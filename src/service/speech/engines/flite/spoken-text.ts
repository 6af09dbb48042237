import { speechTextMaxLength } from "../../../../protocol/speech/speech.ts";
import { SpeechError } from "../../speech-error.ts";

/** A word of the message as written and as spoken: ASCII, or empty when it cannot be spoken. */
export interface SpokenToken {
  written: string;
  spoken: string;
}

/** Letters whose accents are not separate marks, and symbols that have a spoken or simpler form. */
const plainForms: readonly (readonly [RegExp, string])[] = [
  [/ß/g, "ss"],
  [/[æÆ]/g, "ae"],
  [/[œŒ]/g, "oe"],
  [/[øØ]/g, "o"],
  [/[łŁ]/g, "l"],
  [/[đĐðÐ]/g, "d"],
  [/[þÞ]/g, "th"],
  [/ı/g, "i"],
  [/[‘’‚‛ʼ′]/g, "'"],
  [/[“”„«»″]/g, '"'],
  [/[‐‑−]/g, "-"],
  [/[–—―]/g, ", "],
  [/…/g, "... "],
  [/[€]\s*([\d.,]*\d)/g, "$1 euros"],
  [/[£]\s*([\d.,]*\d)/g, "$1 pounds"],
  [/[¥]\s*([\d.,]*\d)/g, "$1 yen"],
  [/€/g, " euros "],
  [/£/g, " pounds "],
  [/°\s*C\b/g, " degrees Celsius "],
  [/°\s*F\b/g, " degrees Fahrenheit "],
  [/°/g, " degrees "],
  [/(\d)\s*[×x]\s*(?=\d)/g, "$1 by "],
  [/×/g, " times "],
  [/½/g, " one half "],
  [/¼/g, " one quarter "],
  [/¾/g, " three quarters "],
];

/** Longer unbroken strings are addresses or noise, not words. */
const spokenTokenMaxLength = 120;

/** The maximum share of letters in scripts that are skipped. */
const foreignShare = 1 / 3;

const scripts = [
  "Hangul",
  "Han",
  "Hiragana",
  "Katakana",
  "Cyrillic",
  "Arabic",
  "Hebrew",
  "Greek",
  "Thai",
  "Devanagari",
] as const;

/**
 * Splits a message at white space into its words, each with the text for the English voice. Single words in other scripts and
 * emoji are not spoken. Throws SpeechError: `text_too_long`, or `unspeakable_text` when nothing can be spoken or most of it is in
 * another script.
 */
export function spokenTokens(text: string): SpokenToken[] {
  if (text.length > speechTextMaxLength) throw SpeechError.tooLong(text.length, speechTextMaxLength);
  refuseOtherScripts(text);
  const tokens = text
    .split(/\s+/u)
    .filter((written) => written !== "")
    .map((written) => ({ written, spoken: spokenForm(written) }));
  if (tokens.every(({ spoken }) => spoken === "")) {
    throw SpeechError.unspeakable("The text has no word or number that could be spoken.");
  }
  return tokens;
}

/** The spoken form of a written word; empty if it has no letter, digit or spoken symbol. */
function spokenForm(written: string): string {
  let plain = written;
  for (const [pattern, replacement] of plainForms) plain = plain.replace(pattern, replacement);
  plain = plain
    .normalize("NFKD")
    .replace(/[^\x20-\x7e]/g, "")
    .replace(/[<>{}[\]\\^`|~*_#]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, spokenTokenMaxLength);
  return /[A-Za-z0-9&%$@+=]/.test(plain) ? plain : "";
}

function refuseOtherScripts(text: string): void {
  const letters = text.match(/\p{L}/gu) ?? [];
  const foreign = letters.filter((letter) => !/\p{Script=Latin}/u.test(letter));
  if (foreign.length === 0 || foreign.length <= letters.length * foreignShare) return;
  const names = scripts.filter((script) =>
    foreign.some((letter) => new RegExp(`\\p{Script=${script}}`, "u").test(letter)),
  );
  const named = names.length > 0 ? names.join(" and ") : "another";
  throw SpeechError.unspeakable(`The voice speaks English; the text is in ${named} script.`);
}
