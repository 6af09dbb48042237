import type { Fill, Stops, Stroke } from "./character.ts";
import type { Palette } from "./colour.ts";
import { resolveColour } from "./colour.ts";
import { PuppetError } from "../puppet-error.ts";
import type { Fields } from "./read-json.ts";
import {
  optional,
  readFields,
  readList,
  readNumber,
  readOneOf,
  readPositive,
  readText,
} from "./read-json.ts";

/** Reads a colour or gradient (character format §3, Gradients). */
export function parseFill(value: unknown, palette: Palette, at: string): Fill {
  if (typeof value === "string") return resolveColour(value, palette, at);
  const fields = readFields(value, at);
  const number = (key: string): number => readNumber(fields[key], `${at}.${key}`);
  const kind = readOneOf("linear", "radial")(fields["type"], `${at}.type`);
  const stops = parseStops(fields["stops"], palette, `${at}.stops`);
  if (kind === "linear") {
    return { kind, from: [number("x1"), number("y1")], to: [number("x2"), number("y2")], stops };
  }
  const orZero = (key: string): number => optional(fields, key, at, readNumber, 0);
  return {
    kind,
    centre: [number("cx"), number("cy")],
    radii: [readPositive(fields["rx"], `${at}.rx`), readPositive(fields["ry"], `${at}.ry`)],
    rotation: (orZero("rot") * Math.PI) / 180,
    focus: [orZero("fx"), orZero("fy")],
    stops,
  };
}

function parseStops(value: unknown, palette: Palette, at: string): Stops {
  let last = 0;
  return readList((stop, place): [number, string] => {
    const [offset, colour] = readList((part) => part)(stop, place);
    const position = readNumber(offset, `${place}[0]`);
    if (position < last || position > 1) throw PuppetError.invalid(place, "stops must ascend from 0 to 1");
    last = position;
    return [position, resolveColour(readText(colour, `${place}[1]`), palette, place)];
  })(value, at);
}

/** Reads the stroke of a path, if it has one. */
export function parseStroke(path: Fields, palette: Palette, at: string): Stroke | undefined {
  const colour = optional(path, "stroke", at, readText, undefined);
  if (colour === undefined) return undefined;
  return {
    colour: resolveColour(colour, palette, `${at}.stroke`),
    width: optional(path, "width", at, readNumber, 1),
    cap: optional(path, "cap", at, readOneOf("round", "butt"), "round"),
  };
}
