import { parseOutline, Verb } from "./outline.ts";
import {
  likelyPoint,
  likeStream,
  lineStream,
  packedBase,
  packedFirst,
  packedLast,
  type PackedPath,
  packedSkipped,
  streamCount,
} from "./unpack-character.ts";

/** Steps of a unit. In a picture of usual size a unit is about a pixel: rounding moves an outline by an eighth of it at most. */
const stepsPerUnit = 4;
/** How many paths back a resembling one is looked for: all shapes of a mouth. */
const lookBack = 300;

const isPath = (text: string): boolean => /^M[\d .-]/.test(text);

/**
 * A character file in a third of its bytes: all outlines together, rounded, as differences from what is likely. Drawn, it looks the
 * same. Throws when the file has an empty text.
 */
export function packCharacter(json: unknown): unknown {
  const paths: PackedPath[] = [];
  const take = (value: unknown): unknown => {
    if (value === "") throw new Error("An empty text cannot be packed.");
    if (typeof value === "string" && isPath(value)) {
      paths.push(pathOf(value));
      return "";
    }
    if (Array.isArray(value)) return value.map(take);
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, take(part)]));
  };
  const rest = take(json);
  if (typeof rest !== "object" || rest === null) return rest;
  return { ...rest, packed: { step: stepsPerUnit, streams: streamsOf(paths) } };
}

function pathOf(text: string): PackedPath {
  const { verbs, points } = parseOutline(text, "path");
  return { verbs: [...verbs], points: [...points].map((point) => Math.round(point * stepsPerUnit)) };
}

function streamsOf(paths: readonly PackedPath[]): string[] {
  const streams = Array.from({ length: streamCount }, (): string[] => []);
  const add = (stream: number, value: number): void => {
    streams[stream]?.push(digits(value));
  };
  paths.forEach((path, i) => {
    const own = ownNumbers(path);
    const { back, numbers } = resembled(paths, i, cost(own));
    add(0, back);
    if (back > 0) {
      numbers.forEach((number, at) => add(likeStream + (at % 2), signed(number)));
      return;
    }
    for (const verb of [...path.verbs, 4]) add(1, verb);
    for (const [stream, number] of own) add(stream, signed(number));
  });
  return streams.map((parts) => parts.join(""));
}

/** The earlier path that makes the differences smallest, if they are smaller than without one. */
function resembled(
  paths: readonly PackedPath[],
  index: number,
  ownCost: number,
): { back: number; numbers: readonly number[] } {
  let best: { back: number; numbers: readonly number[]; cost: number } = {
    back: 0,
    numbers: [],
    cost: ownCost,
  };
  const path = paths[index];
  for (let back = 1; path && back <= Math.min(lookBack, index); back++) {
    const model = paths[index - back];
    if (!model || model.points.length !== path.points.length || model.verbs.join() !== path.verbs.join())
      continue;
    const moved = path.points.map((point, at) => point - (model.points[at] ?? 0));
    // A point of an outline moves about as the one before it does.
    const numbers = moved.map((difference, at) => difference - (moved[at - 2] ?? 0));
    const modelCost = cost(numbers.map((number) => [0, number]));
    if (modelCost < best.cost) best = { back, numbers, cost: modelCost };
  }
  return best;
}

/** The differences of a path from what is likely, with their streams. */
function ownNumbers({ verbs, points }: PackedPath): [stream: number, number: number][] {
  const numbers: [number, number][] = [];
  let at = 0;
  const known = (axis: number): number => points[at + axis] ?? 0;
  for (const verb of verbs) {
    if (verb === Verb.close) continue;
    if (verb !== Verb.curve) {
      for (const axis of [0, 1])
        numbers.push([lineStream + axis, known(axis) - (points[at + axis - 2] ?? 0)]);
      at += 2;
      continue;
    }
    for (let part = 0; part < 3; part++, at += 2) {
      const { stream, axis, first, second } = likelyPoint(points, at, part);
      numbers.push([stream, known(axis) - first]);
      numbers.push([stream + 1, known(1 - axis) - second(known(axis))]);
    }
  }
  return numbers;
}

/** Roughly the bits that differences cost. */
function cost(numbers: readonly (readonly [number, number])[]): number {
  return numbers.reduce((sum, [, number]) => sum + Math.log2(1 + Math.abs(number)), 0);
}

const signed = (number: number): number => (number < 0 ? -2 * number - 1 : 2 * number);

/** A number as the digits that `unpackCharacter` reads, lowest first. */
function digits(value: number): string {
  const rest = value - packedLast;
  const code = packedFirst + (rest < 0 ? value : packedLast + (rest % packedBase));
  const digit = String.fromCharCode(code >= packedSkipped ? code + 1 : code);
  return rest < 0 ? digit : digit + digits(Math.floor(rest / packedBase));
}
