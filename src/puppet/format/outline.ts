import { PuppetError } from "../puppet-error.ts";

/** The verbs of an outline; a move or line takes one point, a curve three, a close none. */
export const Verb = { move: 0, line: 1, curve: 2, close: 3 } as const;

/** A shape as absolute points: `verbs` in order, `points` as x, y, x, y… in units. */
export interface Outline {
  readonly verbs: Uint8Array;
  readonly points: Float32Array;
}

const token = /([MLCZlc])|(-?(?:\d+\.?\d*|\.\d+))|([^\s,])/g;

/**
 * Reads the path text of the character format §3: `M L C Z`, relative `l c`, a repeated letter may be left out.
 * @throws PuppetError INVALID_CHARACTER at `at` when the text is not such a path.
 */
export function parseOutline(text: string, at: string): Outline {
  const verbs: number[] = [];
  const points: number[] = [];
  let pending: number[] = [];
  let letter = "";
  let [x, y, startX, startY] = [0, 0, 0, 0];

  const endSegment = (): void => {
    const relative = letter === "c" || letter === "l";
    for (let i = 0; i < pending.length; i += 2) {
      points.push(pending[i]! + (relative ? x : 0), pending[i + 1]! + (relative ? y : 0));
    }
    verbs.push(letter === "M" ? Verb.move : pending.length === 2 ? Verb.line : Verb.curve);
    x = points.at(-2)!;
    y = points.at(-1)!;
    pending = [];
    if (letter === "M") {
      startX = x;
      startY = y;
      letter = "L";
    }
  };

  for (const [part, command, number] of text.matchAll(token)) {
    if (command !== undefined) {
      if (pending.length > 0) throw PuppetError.invalid(at, `"${command}" comes in the middle of a segment`);
      const starts = letter === "" || letter === "Z";
      if (starts && command !== "M") throw PuppetError.invalid(at, `"M" is needed before "${command}"`);
      letter = command;
      if (command === "Z") {
        verbs.push(Verb.close);
        x = startX;
        y = startY;
      }
    } else if (number !== undefined && letter !== "" && letter !== "Z") {
      pending.push(Number(number));
      if (pending.length === (letter === "C" || letter === "c" ? 6 : 2)) endSegment();
    } else {
      throw PuppetError.invalid(at, `"${part}" is not expected in a path`);
    }
  }
  if (pending.length > 0 || verbs.length === 0) throw PuppetError.invalid(at, "the path ends too early");
  return { verbs: Uint8Array.from(verbs), points: Float32Array.from(points) };
}

/** Whether two outlines can be mixed point by point: the same verbs in the same order. */
export function sameStructure(a: Outline, b: Outline): boolean {
  return a.verbs.length === b.verbs.length && a.verbs.every((verb, i) => verb === b.verbs[i]);
}
