import type { Block, Inline } from "./markdown-block.ts";
import { parseMarkdown } from "./parse-markdown.ts";

/** What is said instead of something that nobody would read aloud. */
interface Phrases {
  readonly link: string;
  readonly code: string;
}

const english: Phrases = { link: "the link is in the text", code: "the code is in the text" };

const phrases: Readonly<Record<string, Phrases>> = {
  en: english,
  de: { link: "der Link steht im Text", code: "der Code steht im Text" },
  fr: { link: "le lien est dans le texte", code: "le code est dans le texte" },
  es: { link: "el enlace está en el texto", code: "el código está en el texto" },
  pt: { link: "o link está no texto", code: "o código está no texto" },
  it: { link: "il link è nel testo", code: "il codice è nel testo" },
  ko: { link: "링크는 글에 있습니다", code: "코드는 글에 있습니다" },
  ja: { link: "リンクは本文にあります", code: "コードは本文にあります" },
  zh: { link: "链接在文字中", code: "代码在文字中" },
  ar: { link: "الرابط موجود في النص", code: "الرمز موجود في النص" },
  he: { link: "הקישור נמצא בטקסט", code: "הקוד נמצא בטקסט" },
};

const traditionalChinese: Phrases = { link: "連結在文字中", code: "程式碼在文字中" };

/** The phrases of a language by its BCP 47 tag; English where there are none. */
function phrasesFor(locale: string): Phrases {
  if (/^zh\b.*\b(?:hant|tw|hk|mo)\b/i.test(locale)) return traditionalChinese;
  return phrases[locale.split("-", 1)[0]?.toLowerCase() ?? ""] ?? english;
}

const endOfSentence = /[.!?…:;,。！？：；、،؟]["'”’)\]]*$/;
const pictographs = /(?:\p{Extended_Pictographic}|\p{Emoji_Component}(?<![#*\d]))+/gu;
/** Signs that are letters or marks of their own and are read: ©, ®, ™. */
const readSigns = /^[©®™]$/u;

function collapsed(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Ends a text with a dot, so that the voice makes a pause, unless it has an end. */
function ended(text: string): string {
  const said = collapsed(text);
  return said === "" || endOfSentence.test(said) ? said : `${said}.`;
}

const capitalized = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Says the phrase at its place in a sentence: "More at: the link is in the text." */
function withPhrase(before: string, phrase: string): string {
  const said = before.trimEnd();
  if (said === "") return capitalized(phrase);
  if (/[.!?…。！？]$/.test(said)) return `${said} ${capitalized(phrase)}`;
  return /[:,;(，：]$/.test(said) ? `${said} ${phrase}` : `${said}: ${phrase}`;
}

function inlineSpeech(children: readonly Inline[], phrases: Phrases): string {
  let said = "";
  let afterPhrase = false;
  for (const child of children) {
    if (child.kind === "link" && child.bare) {
      said = withPhrase(said, phrases.link);
      afterPhrase = true;
      continue;
    }
    const piece = pieceSpeech(child, phrases);
    said += afterPhrase && /^\s*[\p{L}\p{N}]/u.test(piece) ? `, ${piece.trimStart()}` : piece;
    if (piece.trim()) afterPhrase = false;
  }
  return said;
}

function pieceSpeech(child: Inline, phrases: Phrases): string {
  switch (child.kind) {
    case "break":
      return "\n";
    case "image":
      return child.alt;
    case "text":
      return child.text
        .replace(pictographs, (sign) => (readSigns.test(sign) ? sign : " "))
        .replace(/<\/?[a-z][^<>]*>/gi, " ");
    case "code":
      return child.text;
    default:
      return inlineSpeech(child.children, phrases);
  }
}

/** The lines of a paragraph, each with an end. */
function linesSpeech(children: readonly Inline[], phrases: Phrases): string {
  const lines = inlineSpeech(children, phrases).split("\n").map(collapsed).filter(Boolean);
  return lines.map((line, index) => (index < lines.length - 1 ? ended(line) : line)).join(" ");
}

/** A row as a person reads it: what it is about, then each column's name with what stands there. */
function rowSpeech(
  header: readonly (readonly Inline[])[],
  row: readonly (readonly Inline[])[],
  phrases: Phrases,
): string {
  const cells = row.map((cell) => linesSpeech(cell, phrases));
  const facts = cells.slice(1).map((cell, index) => {
    const name = linesSpeech(header[index + 1] ?? [], phrases);
    return cell && name ? `${name} ${cell}` : cell;
  });
  const said = facts.filter(Boolean).join(", ");
  if (!cells[0]) return said;
  return said ? `${cells[0]}: ${said}` : cells[0];
}

function blockSpeech(block: Block, phrases: Phrases): string {
  switch (block.kind) {
    case "rule":
      return "";
    case "code":
      return capitalized(phrases.code);
    case "quote":
      return spokenMarkdown(block.blocks, phrases);
    case "list":
      return joined(
        block.items.map((item, index) => {
          const said = spokenMarkdown(item, phrases);
          return said && block.start !== null ? `${block.start + index}: ${said}` : said;
        }),
      );
    case "table":
      return joined(block.rows.map((row) => rowSpeech(block.header, row, phrases)));
    default:
      return linesSpeech(block.children, phrases);
  }
}

/** Parts one after the other, with a pause after each but the last, which may go on. */
function joined(parts: readonly string[], separator = " "): string {
  const said = parts.map(collapsed).filter(Boolean);
  return said.map((part, index) => (index < said.length - 1 ? ended(part) : part)).join(separator);
}

/**
 * A formatted text as a person would read it: no marks, no addresses, no pictographs; tables row by row. Blank lines stay between
 * its paragraphs, because voices pause there.
 */
function spokenMarkdown(blocks: readonly Block[], phrases: Phrases): string {
  return joined(
    blocks.map((block) => blockSpeech(block, phrases)),
    "\n\n",
  );
}

/** A place in a spoken text and the same place in the text it was made from. */
interface Anchor {
  readonly spoken: number;
  readonly written: number;
}

const bare = (word: string): string => /[\p{L}\p{N}](?:.*[\p{L}\p{N}])?/su.exec(word)?.[0] ?? "";

/** A word that is found further ahead than this is another occurrence of a common word. */
const farAhead = 200;

/** The words of a spoken text that are also in the written one, in order, each with the end of both. */
function anchors(spoken: string, written: string): Anchor[] {
  const found: Anchor[] = [{ spoken: 0, written: 0 }];
  let next = 0;
  for (const { 0: token, index } of spoken.matchAll(/\S+/g)) {
    const word = bare(token);
    const at = word ? written.indexOf(word, next) : -1;
    if (at < 0 || at - next > farAhead) continue;
    next = at + word.length;
    found.push({ spoken: index + token.length, written: next });
  }
  return [...found, { spoken: spoken.length, written: written.length }];
}

/**
 * Where a place of a spoken text is in the written text that it was made from. Words that both have lead to exact places;
 * between them it is an estimate. The end is always the end.
 */
export function writtenPlaces(spoken: string, written: string): (offset: number) => number {
  const known = anchors(spoken, written);
  return (offset) => {
    if (offset >= spoken.trimEnd().length) return written.length;
    const before = known.findLast((anchor) => anchor.spoken <= offset) ?? { spoken: 0, written: 0 };
    const after = known.find((anchor) => anchor.spoken > offset) ?? before;
    const span = after.spoken - before.spoken;
    if (span <= 0 || after.written <= before.written) return before.written;
    const share = (offset - before.spoken) / span;
    return before.written + Math.floor((after.written - before.written) * share);
  };
}

/** A part of an answer as it is spoken. */
export interface SpokenPart {
  readonly text: string;
  /** The place in the answer's written text for a place in `text`. */
  readonly placeOf: (offset: number) => number;
}

const letter = /[\p{L}\p{N}]/u;
const letters = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0;

/** The text after its first `count` letters and digits, and after the marks that belong to them. A blank line is kept. */
function afterLetters(text: string, count: number): string {
  let left = count;
  let end = 0;
  for (const character of text) {
    if (left === 0) break;
    if (letter.test(character)) left -= 1;
    end += character.length;
  }
  if (count === 0) return text;
  return text
    .slice(end)
    .replace(/^[^\s\p{L}\p{N}]*(\s*)/u, (_, space: string) => (space === "\n\n" ? space : ""));
}

/** A last word that may go on: the beginning of an address must not be spoken as a word. */
const openWord = /(?:[!-~]{0,2000}[\w/=&%#@+[\]-]|https?:)$/;
const openWordMaxLength = 2_001;

function withoutOpenWord(text: string): string {
  const from = Math.max(0, text.length - openWordMaxLength);
  return text.slice(0, from) + text.slice(from).replace(openWord, "");
}

/** A whole Markdown text as it is spoken, in the phrases of a language (BCP 47). */
export function spokenText(written: string, locale: string): string {
  return spokenMarkdown(parseMarkdown(written), phrasesFor(locale));
}

/**
 * Turns a Markdown answer that arrives in pieces into what is said. Each piece is read in the light of all before it: a link
 * or a table may begin in one piece and end in the next. What was said is counted in letters, because marks and pauses may
 * change when more of the text is known, and letters do not.
 */
export class SpokenAnswer {
  readonly #locale: string;
  #saidLetters: number;
  #readTo: number;

  /** `said` is the beginning of the answer that was spoken as it is written. */
  constructor(locale: string, said = "") {
    this.#locale = locale;
    this.#saidLetters = letters(said);
    this.#readTo = said.length;
  }

  /** The next part of the answer to speak, from its text so far; null if there is none. */
  read(written: string, isComplete: boolean): SpokenPart | null {
    const known = isComplete ? written : withoutOpenWord(written);
    const whole = spokenMarkdown(parseMarkdown(known, !isComplete), phrasesFor(this.#locale));
    const text = afterLetters(whole, this.#saidLetters);
    if (!letter.test(text)) return null;
    const from = this.#readTo;
    this.#saidLetters = letters(whole);
    this.#readTo = known.length;
    const placeOf = writtenPlaces(text, known.slice(from));
    return { text, placeOf: (offset) => from + placeOf(offset) };
  }
}
