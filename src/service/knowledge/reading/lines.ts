import { daysIn } from "../words/weekdays.ts";
import { says } from "../words/facts.ts";

/*
 * What a single line of a text is, by its form. Texts are pasted from everywhere, so marks are hints, and their absence says nothing.
 */

export const endsSentence = /[.!?…。！？]["'”’»)\]]*$/;
const asks = /[?？]["'”’»)\]]*\s*$/;
/** Tags that only say how a text looks. Others are part of what is said. */
const markup =
  /<\/?(?:a|abbr|b|br|code|div|em|font|i|img|li|mark|ol|p|small|span|strong|sub|sup|u|ul)(?:\s[^<>]*)?\/?>/gi;
const item = /^(?:[-*•–+]|\d{1,2}[.)])\s+/;
const separator = /^[|:\s]*--[|:\-\s]*$/;
const closed =
  /\b(?:closed|open|geschlossen|geöffnet|ruhetag|cerrado|abierto|fermé|ouvert|chiuso|aperto|fechado|aberto)\b|휴무|쉽니다|休/i;
const asksMark =
  /^(?:\*\*)?\s*(?:Q|Question|F|Frage|P|Pregunta|D|Domanda|질문|문|問|问)\s*(?:\d+\s*)?[.:)：](?:\*\*)?\s*/iu;
const answersMark =
  /^(?:\*\*)?\s*(?:A|Answer|Antwort|R|Respuesta|Réponse|Risposta|Resposta|답변|답|答)\s*(?:\d+\s*)?[.:)：](?:\*\*)?\s*/iu;

/** Longer questions are sentences that happen to end with a question mark. */
const questionMaxCharacters = 140;
const hoursMaxCharacters = 90;
const hoursMaxWords = 12;

/** A line without the marks of Markdown and HTML. */
export function plainLine(line: string): string {
  return line
    .replace(item, "")
    .replace(/\*\*(.+?)\*\*|__(.+?)__/g, "$1$2")
    .replace(/(?<![\w*])\*([^*\s][^*]*)\*(?![\w*])/g, "$1")
    .replace(/`([^`]+)`/g, "$1")
    .replace(/!?\[([^[\]]{0,300})\]\([^()]{0,2000}\)/g, "$1")
    .replace(markup, "")
    .replace(/\s+/g, " ")
    .trim();
}

export const isItem = (line: string): boolean => item.test(line);
/** The number of an item of a numbered list, as it is said; empty for any other line. */
export const itemNumber = (line: string): string => /^\d{1,2}[.)](?=\s)/.exec(line)?.[0] ?? "";
export const isRule = (line: string): boolean => /^(?:=+|-{3,}|\*{3,}|_{3,})$/.test(line);
export const isFence = (line: string): boolean => /^(?:`{3,}|~{3,})[\w-]*$/.test(line);
export const isQuestion = (text: string): boolean => asks.test(text) && text.length <= questionMaxCharacters;
export const wordCount = (text: string): number => text.split(/\s+/).length;

/** Whether a line gives opening hours: days with times, or days with a word for closed. */
export function isHours(text: string): boolean {
  if (text.length > hoursMaxCharacters || !(/\d/.test(text) || closed.test(text))) return false;
  if (endsSentence.test(text) && wordCount(text) > hoursMaxWords) return false;
  return (
    daysIn(text, { short: true }).size > 0 && (says("time", text) || closed.test(text) || /\d/.test(text))
  );
}

/** The question of a line that is marked as one (`Q: …`); null for any other line. */
export function markedQuestion(line: string, next: string): string | null {
  if (!asksMark.test(line) || !(asks.test(line) || answersMark.test(next))) return null;
  return plainLine(line.replace(asksMark, ""));
}

/** A line without its mark of an answer (`A: …`). */
export const withoutAnswerMark = (line: string): string => line.replace(answersMark, "");

/** The level and the text of a line that is marked as a heading; null for any other line. */
export function markedHeading(line: string): { level: number; text: string } | null {
  const hashes = /^(#{1,6})\s+(\S.*)$/.exec(line);
  if (hashes)
    return { level: hashes[1]?.length ?? 1, text: plainLine(hashes[2]?.replace(/\s#{1,6}$/, "") ?? "") };
  const bold = /^(?:\*\*|__)(.+?):?(?:\*\*|__):?$/.exec(line)?.[1];
  return bold === undefined || isHours(plainLine(bold)) ? null : { level: boldLevel, text: plainLine(bold) };
}

/** Bold lines are below all marked headings, and plain ones below these. */
export const boldLevel = 7;
export const plainLevel = 8;

/** The cells of a line of a table, by tabs or by bars; null for any other line. */
export function cellsOf(line: string, next = ""): string[] | null {
  if (line.includes("\t")) return line.split(/\t+/).map(plainLine);
  const hasBars = /^\|.*\|$|^[^|]+\|[^|]/.test(line);
  if (!hasBars || !(line.startsWith("|") || next.includes("|"))) return null;
  return line
    .replace(/^\||\|$/g, "")
    .split("|")
    .map(plainLine);
}

export const isSeparator = (line: string): boolean => separator.test(line);
