import { PuppetError } from "../puppet-error.ts";

/** The verbs of an outline; a move or line takes one point, a curve three, a close none. */
export const Verb = { move: 0, line: 1, curve: 2, close: 3 } as const;

/** A shape as absolute points: `verbs` in order, `points` as x, y, x, y… in units. */
export interface Outline {
  readonly verbs: Uint8Array;
  readonly points: Float32Array;
}

/**
 * Reads the path text of the character format §3: `M L C Z`, relative `l c`, a repeated letter may be left out.
 * @throws PuppetError INVALID_CHARACTER at `at` when the text is not such a path.
 */
export function parseOutline(text: string, at: string): Outline {
  const builder = new OutlineBuilder(at);
  for (let i = 0; i < text.length;) {
    const character = text[i]!;
    if (character === " " || character === ",") {
      i++;
    } else if (letters.includes(character)) {
      builder.letter(character);
      i++;
    } else {
      const end = numberEnd(text, i);
      if (end === i) throw PuppetError.invalid(at, `"${character}" is not expected in a path`);
      builder.number(Number(text.slice(i, end)));
      i = end;
    }
  }
  return builder.finish();
}

/** Whether two outlines can be mixed point by point: the same verbs in the same order. */
export function sameStructure(a: Outline, b: Outline): boolean {
  return a.verbs.length === b.verbs.length && a.verbs.every((verb, i) => verb === b.verbs[i]);
}

const letters = "MLCZlc";

/** Where the number (`-1`, `.5`, `2.25`) that begins at `start` ends; `start` itself if there is none. */
function numberEnd(text: string, start: number): number {
  let i = text[start] === "-" ? start + 1 : start;
  const digits = (): number => {
    const from = i;
    while (i < text.length && text.charCodeAt(i) >= 48 && text.charCodeAt(i) <= 57) i++;
    return i - from;
  };
  let count = digits();
  if (text[i] === ".") {
    i++;
    count += digits();
  }
  return count === 0 ? start : i;
}

/** Collects the letters and numbers of a path, and makes a segment whenever there are enough numbers. */
class OutlineBuilder {
  readonly #verbs: number[] = [];
  readonly #points: number[] = [];
  #letter = "";
  #needed = 0;
  #pending: number[] = [];
  #x = 0;
  #y = 0;
  #startX = 0;
  #startY = 0;

  constructor(private readonly at: string) {}

  letter(letter: string): void {
    if (this.#pending.length > 0) throw this.#invalid(`"${letter}" comes in the middle of a segment`);
    const starts = this.#letter === "" || this.#letter === "Z";
    if (starts && letter !== "M") throw this.#invalid(`"M" is needed before "${letter}"`);
    this.#letter = letter;
    this.#needed = letter === "Z" ? 0 : letter === "C" || letter === "c" ? 6 : 2;
    if (letter === "Z") {
      this.#verbs.push(Verb.close);
      this.#x = this.#startX;
      this.#y = this.#startY;
    }
  }

  number(value: number): void {
    if (this.#needed === 0) throw this.#invalid("a number stands where a letter is expected");
    this.#pending.push(value);
    if (this.#pending.length === this.#needed) this.#endSegment();
  }

  finish(): Outline {
    if (this.#pending.length > 0 || this.#verbs.length === 0) throw this.#invalid("the path ends too early");
    return { verbs: Uint8Array.from(this.#verbs), points: Float32Array.from(this.#points) };
  }

  #endSegment(): void {
    const relative = this.#letter === "c" || this.#letter === "l";
    const [fromX, fromY] = relative ? [this.#x, this.#y] : [0, 0];
    for (let i = 0; i < this.#needed; i += 2) {
      this.#x = this.#pending[i]! + fromX;
      this.#y = this.#pending[i + 1]! + fromY;
      this.#points.push(this.#x, this.#y);
    }
    this.#pending.length = 0;
    this.#verbs.push(this.#letter === "M" ? Verb.move : this.#needed === 2 ? Verb.line : Verb.curve);
    if (this.#letter !== "M") return;
    this.#startX = this.#x;
    this.#startY = this.#y;
    this.#letter = "L";
  }

  #invalid(message: string): PuppetError {
    return PuppetError.invalid(this.at, message);
  }
}
