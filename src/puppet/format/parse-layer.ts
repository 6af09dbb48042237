import { PuppetError } from "../puppet-error.ts";
import type { BlinkKeys, ClipRef, Driver, Fill, Layer, Shape, Stops, Stroke } from "./character.ts";
import {
  type Fields,
  optional,
  readBoolean,
  readFields,
  readList,
  readNumber,
  readNumbers,
  readOneOf,
  readPositive,
  readRecord,
  readText,
} from "./read-json.ts";
import { type Outline, parseOutline, sameStructure } from "./outline.ts";
import type { RigSettings } from "./rig-settings.ts";

/** The named colours of a character: token → `#rrggbb`. */
type Palette = Readonly<Record<string, string>>;

const colourText = /^(?:(#[0-9a-f]{6})|([a-z][\w-]*))(?:@(\d+(?:\.\d*)?|\.\d+))?$/i;

/**
 * The canvas colour of a token or `#rrggbb`, either followed by `@alpha` (character format §2).
 * @throws PuppetError INVALID_CHARACTER at `at` for an unknown token or any other notation.
 */
function resolveColour(text: string, palette: Palette, at: string): string {
  const [, literal, name, alpha = "1"] = colourText.exec(text) ?? [];
  const hex = literal ?? (name !== undefined && Object.hasOwn(palette, name) ? palette[name] : undefined);
  if (hex === undefined) throw PuppetError.invalid(at, `"${text}" is not a colour of this character`);
  const rgb = Number.parseInt(hex.slice(1), 16);
  return `rgba(${rgb >> 16},${(rgb >> 8) & 255},${rgb & 255},${Number(alpha)})`;
}

/** Reads a colour or gradient (character format §3, Gradients). */
function parseFill(value: unknown, palette: Palette, at: string): Fill {
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
function parseStroke(path: Fields, palette: Palette, at: string): Stroke | undefined {
  const colour = optional(path, "stroke", at, readText, undefined);
  if (colour === undefined) return undefined;
  return {
    colour: resolveColour(colour, palette, `${at}.stroke`),
    width: optional(path, "width", at, readNumber, 1),
    cap: optional(path, "cap", at, readOneOf("round", "butt"), "round"),
  };
}

/** What is needed to read the layers of a file. */
interface LayerContext {
  readonly palette: Palette;
  readonly rig: RigSettings;
  readonly mouthOutlines: Readonly<Record<string, Outline>>;
}

/** A layer whose clips are not resolved yet, because a clip may name a layer that comes later in the file. */
interface UnlinkedLayer {
  readonly z: number;
  readonly layer: Layer;
  /** Resolves the clips, once all layers are known. */
  link(find: (ref: string, at: string) => ClipRef): void;
}

type Links = ((find: (ref: string, at: string) => ClipRef) => void)[];

const readDriver = readOneOf<Driver>("smile", "concern", "browRaise", "turnL", "turnR");

/** Reads one layer and its paths (character format §3). */
export function parseLayer(value: unknown, context: LayerContext, at: string): UnlinkedLayer {
  const fields = readFields(value, at);
  const links: Links = [];
  const offset = optional(fields, "off", at, readNumbers(2), [0, 0]) as [number, number];
  const shapes = readList((path, place) => parseShape(path, context, offset, links, place))(
    fields["paths"],
    `${at}.paths`,
  );
  const surfaceName = optional(fields, "surface", at, readText, "face");
  const surface = context.rig.surfaces[surfaceName];
  if (surface === undefined) throw PuppetError.invalid(`${at}.surface`, `no surface "${surfaceName}"`);
  const layer: Layer = {
    id: readText(fields["id"], `${at}.id`),
    followsHead: optional(fields, "space", at, readOneOf("head", "body"), "head") === "head",
    surface,
    depthUnits: optional(fields, "depth", at, readNumber, 0) * context.rig.head.depthUnits,
    ...parseMotion(fields, at),
    side: optional(fields, "side", at, readOneOf("l", "r"), undefined),
    optional: optional(fields, "optional", at, readText, undefined),
    clips: parseClips(fields, links, at),
    shapes,
  };
  return {
    z: readNumber(fields["z"], `${at}.z`),
    layer,
    link: (find) => links.forEach((resolve) => resolve(find)),
  };
}

type Motion = Pick<Layer, "follow" | "jaw" | "cheek" | "lip" | "brow" | "sway">;

function parseMotion(fields: Fields, at: string): Motion {
  const follow = optional(fields, "follow", at, readNumbers(4), undefined);
  const brow = optional(fields, "brow", at, readNumbers(3), undefined);
  const sway = optional(fields, "sway", at, readNumbers(4), undefined);
  return {
    follow: follow && { y0: follow[0]!, y1: follow[1]!, from: follow[2]!, to: follow[3]! },
    jaw: optional(fields, "jaw", at, readBoolean, false),
    cheek: optional(fields, "cheek", at, readNumber, 0),
    lip: optional(fields, "lip", at, readBoolean, false),
    brow: brow && { innerX: brow[0]!, length: brow[1]!, direction: brow[2]! },
    sway: sway && { y0: sway[0]!, y1: sway[1]!, x: sway[2]!, y: sway[3]! },
  };
}

function parseShape(
  value: unknown,
  context: LayerContext,
  layerOffset: readonly [number, number],
  links: Links,
  at: string,
): Shape {
  const fields = readFields(value, at);
  const fill = fields["fill"];
  const drivers = optional(fields, "opacityBy", at, readRecord(readNumber), {});
  const hidden = optional(fields, "hidden", at, readBoolean, false);
  return {
    id: optional(fields, "id", at, readText, undefined),
    ...parseGeometry(fields, context, at),
    fill: fill === undefined || hidden ? undefined : parseFill(fill, context.palette, `${at}.fill`),
    stroke: hidden ? undefined : parseStroke(fields, context.palette, at),
    opacity: optional(fields, "opacity", at, readNumber, 1),
    opacityBy: Object.entries(drivers).map(([name, gain]) => [readDriver(name, `${at}.opacityBy`), gain]),
    visibleBy: optional(fields, "vis", at, readDriver, undefined),
    blurUnits: typeof fill === "string" ? optional(fields, "blur", at, readNumber, 0) : 0,
    gazeTravel: optional(fields, "off", at, readNumbers(2), layerOffset) as [number, number],
    clips: parseClips(fields, links, at),
  };
}

function parseGeometry(
  fields: Fields,
  context: LayerContext,
  at: string,
): Pick<Shape, "outline" | "blink" | "mouth"> {
  const given = ["d", "keys", "mouth"].filter((key) => fields[key] !== undefined);
  if (given.length !== 1) throw PuppetError.invalid(at, "exactly one of d, keys and mouth is expected");
  if (fields["keys"] !== undefined) return { ...parseBlink(fields["keys"], `${at}.keys`), mouth: undefined };
  if (fields["mouth"] !== undefined) {
    const mouth = readText(fields["mouth"], `${at}.mouth`);
    const outline = context.mouthOutlines[mouth];
    if (outline === undefined) throw PuppetError.invalid(`${at}.mouth`, `no mouth path "${mouth}"`);
    return { outline, blink: undefined, mouth };
  }
  return {
    outline: parseOutline(readText(fields["d"], `${at}.d`), `${at}.d`),
    blink: undefined,
    mouth: undefined,
  };
}

function parseBlink(value: unknown, at: string): { outline: Outline; blink: BlinkKeys } {
  const fields = readFields(value, at);
  const outline = parseOutline(readText(fields["open"], `${at}.open`), `${at}.open`);
  const difference = (text: unknown, place: string): Float32Array => {
    const key = parseOutline(readText(text, place), place);
    if (!sameStructure(key, outline)) throw PuppetError.invalid(place, "the structure of open is expected");
    return key.points.map((coordinate, i) => coordinate - outline.points[i]!);
  };
  const blink = {
    half: difference(fields["half"], `${at}.half`),
    closed: difference(fields["closed"], `${at}.closed`),
    smile: optional(fields, "smile", at, difference, undefined),
  };
  return { outline, blink };
}

function parseClips(fields: Fields, links: Links, at: string): readonly ClipRef[] {
  const value = fields["clip"];
  if (value === undefined) return [];
  const place = `${at}.clip`;
  const refs = typeof value === "string" ? [value] : readList(readText)(value, place);
  const clips: ClipRef[] = [];
  links.push((find) => clips.push(...refs.map((ref) => find(ref, place))));
  return clips;
}
