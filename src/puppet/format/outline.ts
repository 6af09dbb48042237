import { PuppetError } from "../puppet-error.ts";

/** The verbs of an outline. A move or a line has one point, a curve has three, a close has none. */
export const Verb = { move: 0, line: 1, curve: 2, close: 3 } as const;

/** A shape as absolute points: `verbs` in order, `points` as x, y, x, y… in units. */
export interface Outline {
  readonly verbs: Uint8Array;
  readonly points: Float32Array;
}

/**
 * Reads the path text of the character format §3: `M L C Z` and the relative `l c`. A repeated letter may be left out.
 * @throws PuppetError INVALID_CHARACTER at `at` when the text is not such a path.
 */
export function parseOutline(text: string, at: string): Outline {
  return new OutlineReader(text, at).read();
}

/** Whether two outlines can be mixed point by point: the same verbs in the same order. */
export function sameStructure(a: Outline, b: Outline): boolean {
  return a.verbs.length === b.verbs.length && a.verbs.every((verb, i) => verb === b.verbs[i]);
}

const [minus, point, zero, nine] = [45, 46, 48, 57];

/** A character file has some hundred thousand numbers, so this reads character codes and creates no substrings. */
class OutlineReader {
  readonly #verbs: number[] = [];
  readonly #points: number[] = [];
  #next = 0;
  #letter = "";
  /** How many numbers the segment needs, and how many of them have been read. */
  #needed = 0;
  #count = 0;
  /** The point that relative numbers start from. */
  #fromX = 0;
  #fromY = 0;

  constructor(
    private readonly text: string,
    private readonly at: string,
  ) {}

  read(): Outline {
    const { text } = this;
    while (this.#next < text.length) {
      const code = text.charCodeAt(this.#next);
      if (code === 32 || code === 44) this.#next++;
      else if (code <= nine) this.#takeNumber();
      else this.#takeLetter(text[this.#next++]!);
    }
    if (this.#count > 0 || this.#verbs.length === 0) throw this.#invalid("the path ends too early");
    return { verbs: Uint8Array.from(this.#verbs), points: Float32Array.from(this.#points) };
  }

  #takeLetter(letter: string): void {
    if (!"MLCZlc".includes(letter)) throw this.#invalid(`"${letter}" is not expected in a path`);
    if (this.#count > 0) throw this.#invalid(`"${letter}" is not expected in a segment`);
    const starts = this.#letter === "" || this.#letter === "Z";
    if (starts && letter !== "M") throw this.#invalid(`"M" is needed before "${letter}"`);
    this.#letter = letter;
    this.#needed = letter === "Z" ? 0 : letter === "C" || letter === "c" ? 6 : 2;
    if (letter === "Z") this.#verbs.push(Verb.close);
  }

  #takeNumber(): void {
    if (this.#needed === 0) throw this.#invalid("a letter is expected");
    const relative = this.#letter === "l" || this.#letter === "c";
    const from = relative ? (this.#count % 2 === 0 ? this.#fromX : this.#fromY) : 0;
    this.#points.push(from + this.#number());
    this.#count++;
    if (this.#count === this.#needed) this.#endSegment();
  }

  #endSegment(): void {
    this.#count = 0;
    this.#fromX = this.#points.at(-2)!;
    this.#fromY = this.#points.at(-1)!;
    this.#verbs.push(this.#letter === "M" ? Verb.move : this.#needed === 2 ? Verb.line : Verb.curve);
    if (this.#letter === "M") this.#letter = "L";
  }

  /** Reads the number at this position: `-1`, `.5`, `2.25`. */
  #number(): number {
    const { text } = this;
    const negative = text.charCodeAt(this.#next) === minus;
    if (negative) this.#next++;
    let [digits, value, divisor] = [0, 0, 0];
    for (; this.#next < text.length; this.#next++) {
      const code = text.charCodeAt(this.#next);
      if (code === point && divisor === 0) divisor = 1;
      else if (code >= zero && code <= nine) {
        value = value * 10 + (code - zero);
        divisor *= 10;
        digits++;
      } else break;
    }
    if (digits === 0) throw this.#invalid(`"${text[this.#next] ?? "-"}" is not expected in a path`);
    const size = divisor > 1 ? value / divisor : value;
    return negative ? -size : size;
  }

  #invalid(message: string): PuppetError {
    return PuppetError.invalid(this.at, message);
  }
}
