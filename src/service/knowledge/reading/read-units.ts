import { setImmediate as nextTurn } from "node:timers/promises";
import {
  cellsOf,
  endsSentence,
  isFence,
  isHours,
  isItem,
  isQuestion,
  isRule,
  itemNumber,
  markedHeading,
  markedQuestion,
  plainLevel,
  plainLine,
  withoutAnswerMark,
  wordCount,
} from "./lines.ts";
import { sentencesOf } from "./sentences.ts";
import { readTable } from "./tables.ts";
import type { ReadableDocument, Unit } from "./unit.ts";

/** How much of a text is read at once: some 20 ms. */
const charactersAtOnce = 10_000;

/** Nobody says more at once. Longer sentences are lists without an end, and are divided. */
const unitMaxCharacters = 2_000;
/** A document of the most characters has half as many sentences. What has more is no text. */
const unitsMax = 40_000;
/** An address has no more lines, and a week no more opening hours. */
const wholeMaxLines = 20;

/** Documents that were files have their names as titles. */
const fileEnding = /\.(?:pdf|docx|txt|md|markdown|html?)$/i;

const headingMaxWords = 8;
const headingMaxCharacters = 70;
/** A heading of a paragraph that an empty line separates from it is even shorter. */
const separateHeadingMaxWords = 5;
const introductionMaxCharacters = 120;

/** A question that a line asks stands until the paragraph after it ends; one that a heading asks, until the next heading. */
interface OpenQuestion {
  text: string;
  wordings: readonly string[];
  endsWithBlock: boolean;
  isAnswered: boolean;
}

/** What no heading says: numbers, addresses, or a name with its value ("Delivery: by post"). */
const saysFacts = /\d{2}|@|[€$£]|\S:\s+\S/;

/** `<details><summary>` is a heading and what it opens. */
function withoutDetails(text: string): string {
  return text
    .replace(
      /<details[^<>]*>\s*<summary[^<>]*>([\s\S]{0,500}?)<\/summary>/gi,
      (_, question: string) => `\n\n###### ${question.replace(/\s+/g, " ").trim()}\n`,
    )
    .replace(/<\/details>/gi, "\n\n---\n\n");
}

/** A text in pieces of so many characters at most, divided at spaces if there are any. */
function piecesOf(text: string, maxCharacters: number): string[] {
  if (text.length <= maxCharacters) return [text];
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    const isLast = text.length - start <= maxCharacters;
    const space = isLast ? 0 : text.lastIndexOf(" ", start + maxCharacters - 1);
    const end = isLast ? text.length : space > start ? space + 1 : start + maxCharacters;
    pieces.push(text.slice(start, end).trim());
    start = end;
  }
  return pieces;
}

/** Reads one document, line by line. */
class UnitReader {
  readonly #document: number;
  readonly #lines: readonly string[];
  readonly units: Unit[] = [];
  #path: { level: number; text: string }[];
  #block = 0;
  #question: OpenQuestion | null = null;
  /** The line that introduced what follows it ("Cancelling:"). */
  #introduction: string | null = null;

  constructor({ title, text }: ReadableDocument, place: number) {
    this.#document = place;
    const name = title.replace(fileEnding, "");
    this.#path = name === "" ? [] : [{ level: 0, text: name }];
    this.#lines = withoutDetails(text)
      .replaceAll("\u00a0", " ")
      .split(/\r?\n/)
      .flatMap((line) => piecesOf(line.trim(), charactersAtOnce));
  }

  async read(): Promise<Unit[]> {
    let read = 0;
    for (let at = 0; at < this.#lines.length && this.units.length < unitsMax;) {
      const count = this.#readLine(at);
      for (const line of this.#lines.slice(at, at + count)) read += line.length;
      at += count;
      if (read < charactersAtOnce) continue;
      read = 0;
      await nextTurn();
    }
    joinBlocks(this.units);
    return this.units;
  }

  #push(kind: Unit["kind"], text: string, more: Partial<Unit> = {}): void {
    for (const said of piecesOf(text.trim(), unitMaxCharacters)) this.#pushPiece(kind, said, more);
  }

  #pushPiece(kind: Unit["kind"], said: string, more: Partial<Unit>): void {
    if (!/[\p{L}\d]/u.test(said)) return;
    const headings = this.#path.map((heading) => heading.text);
    if (this.#introduction !== null) headings.push(this.#introduction);
    const question = this.#question?.text ?? null;
    const wordings = this.#question?.wordings ?? [];
    const at = { document: this.#document, block: this.#block };
    this.units.push({ text: said, kind, headings, question, wordings, ...at, ...more });
  }

  #openHeading(level: number, text: string): void {
    const said = text.replace(/:$/, "");
    this.#path = [...this.#path.filter((heading) => heading.level < level), { level, text: said }];
    const [first = "", ...wordings] = said.split(/(?<=[?？])\s+\/\s+/);
    this.#question = isQuestion(first)
      ? { text: first, wordings, endsWithBlock: false, isAnswered: false }
      : null;
    this.#introduction = null;
    this.#block += 1;
  }

  #openQuestion(text: string): void {
    this.#question = { text, wordings: [], endsWithBlock: true, isAnswered: false };
    this.#block += 1;
  }

  #endBlock(): void {
    this.#block += 1;
    this.#introduction = null;
    if (this.#question?.endsWithBlock && this.#question.isAnswered) this.#question = null;
  }

  /** A line across the text ends the answer to a question that a heading asked. */
  #endAnswer(): void {
    if (!this.#question?.isAnswered) return;
    this.#question = null;
    this.#path.pop();
  }

  /** Reads what begins with a line. Returns how many lines that were. */
  #readLine(at: number): number {
    const line = this.#lines[at] ?? "";
    const next = this.#lines[at + 1] ?? "";
    if (line === "" || isRule(line)) {
      this.#endBlock();
      if (line !== "") this.#endAnswer();
      return 1;
    }
    if (isFence(line)) return this.#readCode(at);
    const heading = markedHeading(line);
    if (heading) {
      this.#openHeading(heading.level, heading.text);
      return 1;
    }
    if (cellsOf(line, next)) {
      const table = readTable(this.#lines, at);
      if (table) return this.#readTable(table.rows, table.lines);
    }
    const asked = markedQuestion(line, next);
    if (asked === null) this.#readText(line, at);
    else this.#openQuestion(asked);
    return 1;
  }

  /** Lines of code are said as a whole. */
  #readCode(at: number): number {
    let end = at + 1;
    while (end < this.#lines.length && !isFence(this.#lines[end] ?? "")) end += 1;
    const isClosed = end < this.#lines.length;
    const lines = this.#lines.slice(at + 1, end);
    this.#block += 1;
    this.#push("sentence", lines.filter((line) => line !== "").join(" "));
    this.#block += 1;
    return lines.length + (isClosed ? 2 : 1);
  }

  #readTable(rows: readonly { name: string; text: string }[], lines: number): number {
    this.#block += 1;
    for (const { name, text } of rows)
      if (isHours(text)) this.#push("hours", text.replace(/\.$/, ""));
      else this.#push("row", text, { row: name });
    if (this.#question) this.#question.isAnswered = true;
    this.#block += 1;
    return lines;
  }

  #readText(line: string, at: number): void {
    const body = this.#question ? withoutAnswerMark(line) : line;
    const text = plainLine(body);
    const sentences = sentencesOf(text);
    const [first = "", ...rest] = sentences;
    if (isQuestion(text) && rest.length === 0 && body === line) {
      this.#openQuestion(text);
      return;
    }
    if (rest.length > 0 && isQuestion(first) && !isQuestion(rest.at(-1) ?? "")) {
      this.#readQuestionInLine(first, rest);
      return;
    }
    if (this.#question) this.#question.isAnswered = true;
    if (rest.length === 0 && isHours(text)) this.#push("hours", text);
    else if (!this.#readShortLine(line, text, at)) this.#readSentences(line, sentences);
  }

  /** "Do you deliver? Yes, everywhere." in one line. */
  #readQuestionInLine(question: string, answer: readonly string[]): void {
    const before = this.#question;
    this.#openQuestion(question);
    for (const sentence of answer) this.#push("sentence", sentence);
    this.#question = before;
    this.#block += 1;
  }

  #readSentences(line: string, sentences: readonly string[]): void {
    if (isItem(line)) this.#push("item", [itemNumber(line), ...sentences].join(" "));
    else for (const sentence of sentences) this.#push("sentence", sentence);
  }

  /** A line without the end of a sentence: a heading, an introduction, or a line of an address. Whether it was one. */
  #readShortLine(line: string, text: string, at: number): boolean {
    const previous = at === 0 ? "" : (this.#lines[at - 1] ?? "");
    const next = this.#lines[at + 1] ?? "";
    const afterNext = this.#lines[at + 2] ?? "";
    if (isItem(line) || endsSentence.test(text)) return false;
    if (text.endsWith(":") && text.length <= introductionMaxCharacters)
      return this.#introduce(text.slice(0, -1), { isFirst: previous === "", next: next || afterNext });
    if (this.#question || wordCount(text) > headingMaxWords || text.length > headingMaxCharacters)
      return false;
    const isBefore = next === "" ? this.#isApart(text, afterNext) : this.#isText(next);
    if (previous === "" && isBefore && !saysFacts.test(text)) this.#openHeading(plainLevel, text);
    else this.#push("line", text);
    return true;
  }

  #introduce(text: string, { isFirst, next }: { isFirst: boolean; next: string }): boolean {
    const isLong = wordCount(text) > headingMaxWords;
    if (isLong && !isItem(next)) return false;
    if (isLong || (isItem(next) && !isFirst)) this.#push("line", text, { introduces: true });
    if (isFirst && !isLong) this.#openHeading(plainLevel, text);
    else this.#introduction = text;
    return true;
  }

  #isApart(text: string, afterNext: string): boolean {
    if (afterNext === "" || /\d/.test(text) || wordCount(text) > separateHeadingMaxWords) return false;
    return markedHeading(afterNext) === null;
  }

  /** Whether a line can be what a heading stands above. */
  #isText(line: string): boolean {
    const isSentence = endsSentence.test(line) && wordCount(line) > 3;
    return isSentence || isItem(line) || isHours(plainLine(line)) || cellsOf(line) !== null;
  }
}

/** Lines of an address, and opening hours, are said as a whole. */
function joinBlocks(units: readonly Unit[]): void {
  const blocks = new Map<number, Unit[]>();
  for (const unit of units) {
    const block = blocks.get(unit.block);
    if (block) block.push(unit);
    else blocks.set(unit.block, [unit]);
  }
  for (const block of blocks.values()) {
    if (block.length > wholeMaxLines) continue;
    const hours = block.filter(({ kind }) => kind === "hours");
    if (hours.length > 1) for (const unit of hours) unit.whole = hours.map(({ text }) => text).join("; ");
    if (block.length < 2 || block.some(({ kind }) => kind !== "line")) continue;
    const whole = block.map(({ text }) => text.replace(/[,;]$/, "")).join(", ");
    for (const unit of block) unit.whole = whole;
  }
}

/** The units of documents, in order. Other requests are served in the meantime. */
export async function readUnits(documents: readonly ReadableDocument[]): Promise<Unit[]> {
  const units: Unit[] = [];
  for (const [place, one] of documents.entries())
    for (const unit of await new UnitReader(one, place).read()) units.push(unit);
  return units;
}
