import { PuppetError } from "../puppet-error.ts";
import { readFields, readList, readNumber, readText } from "./read-json.ts";

/**
 * A path of a packed character: verbs as in `Verb`, points as whole numbers of steps. The streams of a file: how many paths before
 * this one lies the one that it resembles (0: none), the verbs of a path that resembles none (4 ends it), how a path differs from the
 * one that it resembles, less the difference of the point before (x, y), the differences of moves and lines from the point before (x, y),
 * and those of curves from what is likely: two streams for their first points, and two for the others, which differ by as much.
 */
export interface PackedPath {
  readonly verbs: readonly number[];
  readonly points: readonly number[];
}

/** The first of the two streams of resembling paths, of those of moves and lines, and of the four of curves. */
export const likeStream = 2;
export const lineStream = 4;
const curveStream = 6;
export const streamCount = 10;

/** The likely place of a curve's next point. */
interface LikelyPoint {
  /** The stream of the first axis' difference. The next stream is the other one's. */
  readonly stream: number;
  /** The axis that is told first: 0 is x, 1 is y. */
  readonly axis: 0 | 1;
  /** The likely place on that axis. */
  readonly first: number;
  /** The likely place on the other axis, when the first one is known. */
  second(known: number): number;
}

/** The likely place of a curve's first, second or third point (`part` 0 to 2), which is at `at` of the path's numbers. */
export function likelyPoint(points: readonly number[], at: number, part: number): LikelyPoint {
  const back = (count: number): number => points[at - count] ?? 0;
  const [x, y] = [back(2), back(1)];
  const stream = part ? curveStream + 2 : curveStream;
  if (part === 2) {
    // A curve bends about evenly: its end is half of its way so far beyond the point before.
    const first = x + Math.round((x - back(6)) / 2);
    return { stream, axis: 0, first, second: () => y + Math.round((y - back(5)) / 2) };
  }
  // It goes on as far and in the direction in which it came; a path's first curve comes from nowhere.
  const [dx, dy] = at < 4 ? [0, 0] : [x - back(4), y - back(3)];
  if (part === 1) return { stream, axis: 0, first: x + dx, second: () => y + dy };
  // Most curves follow one another smoothly: how far it goes on one axis says how far it goes on the other.
  return Math.abs(dx) >= Math.abs(dy)
    ? { stream, axis: 0, first: x + dx, second: (known) => y + (dx && Math.round((dy * (known - x)) / dx)) }
    : { stream, axis: 1, first: y + dy, second: (known) => x + Math.round((dx * (known - y)) / dy) };
}

/**
 * Each character of a stream is a digit. So many digits end a number: most numbers are small. So many others mean that another digit
 * follows.
 */
export const packedLast = 75;
export const packedBase = 15;
/** The first digit's character, and the one that JSON would have to escape. */
export const packedFirst = 35;
export const packedSkipped = 92;

/**
 * Puts the outlines of a packed character file back where they belong: each empty text becomes the next path. Any other value is
 * returned as it is.
 * @throws PuppetError INVALID_CHARACTER
 */
export function unpackCharacter(json: unknown): unknown {
  if (typeof json !== "object" || json === null || !("packed" in json)) return json;
  const { packed, ...rest } = json;
  const fields = readFields(packed, "packed");
  const step = readNumber(fields["step"], "packed.step");
  const texts = readList(readText)(fields["streams"], "packed.streams");
  if (texts.length !== streamCount)
    throw PuppetError.invalid("packed.streams", `${streamCount} streams are expected`);
  const reader = new PathReader(texts.map((text) => new DigitStream(text)));
  return fill(rest, () => textOf(reader.next(), step));
}

/** The value with each empty text replaced, in the order of the file. */
function fill(value: unknown, next: () => string): unknown {
  if (value === "") return next();
  if (Array.isArray(value)) return value.map((part) => fill(part, next));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fill(part, next)]));
}

function textOf({ verbs, points }: PackedPath, step: number): string {
  let at = 0;
  const parts = verbs.map((verb) => {
    if (verb === 3) return "Z";
    const count = verb === 2 ? 6 : 2;
    const numbers = points.slice(at, at + count).map((point) => point / step);
    at += count;
    return "MLC".charAt(verb) + numbers.join(" ");
  });
  return parts.join("");
}

/** Reads whole numbers from the digits of a text. */
class DigitStream {
  #at = 0;
  constructor(private readonly text: string) {}

  /** A number from 0 on. */
  next(): number {
    let value = 0;
    let factor = 1;
    for (;;) {
      const code = this.text.charCodeAt(this.#at++);
      // A text that ends too early has no code here.
      if (!(code >= packedFirst)) throw PuppetError.invalid("packed.streams", "a stream ends too early");
      const digit = code - packedFirst - (code > packedSkipped ? 1 : 0);
      value += digit * factor;
      if (digit < packedLast) return value;
      factor *= packedBase;
    }
  }

  /** A number with its sign in the lowest bit. */
  nextSigned(): number {
    const value = this.next();
    return value % 2 ? -(value + 1) / 2 : value / 2;
  }
}

class PathReader {
  readonly #streams: readonly DigitStream[];
  readonly #paths: PackedPath[] = [];

  constructor(streams: readonly DigitStream[]) {
    this.#streams = streams;
  }

  next(): PackedPath {
    const back = this.#stream(0).next();
    const path = back === 0 ? this.#own() : this.#like(this.#paths.at(-back));
    this.#paths.push(path);
    return path;
  }

  #stream(index: number): DigitStream {
    const stream = this.#streams[index];
    if (!stream) throw PuppetError.invalid("packed.streams", "a stream is missing");
    return stream;
  }

  /** A path as its difference from an earlier one of the same structure. */
  #like(model: PackedPath | undefined): PackedPath {
    if (!model) throw PuppetError.invalid("packed.streams", "an earlier path is missing");
    const moved: number[] = [];
    const points = model.points.map((point, i) => {
      const difference = (moved[i - 2] ?? 0) + this.#stream(likeStream + (i % 2)).nextSigned();
      moved.push(difference);
      return point + difference;
    });
    return { verbs: model.verbs, points };
  }

  #own(): PackedPath {
    const verbs: number[] = [];
    const points: number[] = [];
    for (let verb = this.#stream(1).next(); verb < 4; verb = this.#stream(1).next()) {
      verbs.push(verb);
      if (verb === 2) for (let part = 0; part < 3; part++) points.push(...this.#curvePoint(points, part));
      else if (verb !== 3)
        for (const axis of [0, 1])
          points.push((points.at(-2) ?? 0) + this.#stream(lineStream + axis).nextSigned());
    }
    return { verbs, points };
  }

  #curvePoint(points: readonly number[], part: number): [x: number, y: number] {
    const { stream, axis, first, second } = likelyPoint(points, points.length, part);
    const known = first + this.#stream(stream).nextSigned();
    const other = second(known) + this.#stream(stream + 1).nextSigned();
    return axis === 0 ? [known, other] : [other, known];
  }
}
