import {
  type Fields,
  optional,
  readBoolean,
  readFields,
  readList,
  readNumber,
  readNumbers,
  readPositive,
  readRecord,
  readText,
} from "./read-json.ts";
import {
  browDefaults,
  builtInSurfaces,
  jawDefaults,
  lidDefaults,
  lipDefaults,
  type RigSettings,
  type Surface,
  surfaceDefaults,
  swayDefaults,
} from "./rig-settings.ts";
import type { Character, ClipRef, Layer, Mouth, MouthKey } from "./character.ts";
import { type Outline, parseOutline, sameStructure } from "./outline.ts";
import { PuppetError } from "../puppet-error.ts";
import { visemes } from "../viseme.ts";
import { parseLayer } from "./parse-layer.ts";
import { unpackCharacter } from "./unpack-character.ts";

const radians = Math.PI / 180;

/** Reads the `rig` block and fills in the defaults (character format §4). */
function parseRig(value: unknown, at: string): RigSettings {
  const fields = readFields(value, at);
  const head = parseHead(fields["head"], `${at}.head`);
  const surfaces = optional(fields, "surfaces", at, readRecord(parseSurface), {});
  return {
    head,
    surfaces: { ...builtInSurfaces, ...surfaces },
    jaw: parseBlock(fields, "jaw", at, { ...jawDefaults, x: head.cx }),
    brow: parseBlock(fields, "brow", at, browDefaults),
    lid: parseBlock(fields, "lid", at, lidDefaults),
    lip: parseBlock(fields, "lip", at, { ...lipDefaults, x: head.cx }),
    cheek: optional(fields, "cheek", at, parseCheek, undefined),
    sway: parseBlock(fields, "sway", at, swayDefaults),
  };
}

function parseHead(value: unknown, at: string): RigSettings["head"] {
  const fields = readFields(value, at);
  const number = (key: string): number => readNumber(fields[key], `${at}.${key}`);
  const [pivotX, pivotY] = readNumbers(2)(fields["pivot"], `${at}.pivot`) as [number, number];
  return {
    cx: number("cx"),
    cy: number("cyc"),
    pivotX,
    pivotY,
    depthUnits: number("depthPx"),
    maxYaw: number("maxYaw") * radians,
    maxPitch: number("maxPitch") * radians,
    maxRoll: number("maxRoll") * radians,
    perspective: optional(fields, "perspective", at, readNumber, 0.0006),
    rollShift: optional(fields, "rollShift", at, readNumber, 10),
  };
}

function parseSurface(value: unknown, at: string): Surface {
  const fields = readFields(value, at);
  const number = (key: Exclude<keyof Surface, "side">): number =>
    optional(fields, key, at, readNumber, surfaceDefaults[key]);
  return {
    z0: number("z0"),
    z: number("z"),
    rx: optional(fields, "rx", at, readPositive, surfaceDefaults.rx),
    p: number("p"),
    min: number("min"),
    top: number("top"),
    bottom: number("bottom"),
    ry: number("ry"),
    vk: number("vk"),
    vmin: number("vmin"),
    side: optional(fields, "side", at, readNumbers(3), undefined) as Surface["side"],
  };
}

function parseCheek(value: unknown, at: string): NonNullable<RigSettings["cheek"]> {
  const fields = readFields(value, at);
  return {
    x: readPositive(fields["x"], `${at}.x`),
    y: readNumber(fields["y"], `${at}.y`),
    ry: readPositive(fields["ry"], `${at}.ry`),
    sharp: readNumber(fields["sharp"], `${at}.sharp`),
  };
}

function parseBlock<K extends string>(
  rig: Fields,
  name: string,
  at: string,
  defaults: Readonly<Record<K, number>>,
): Record<K, number> {
  const block = optional(rig, name, at, readFields, {});
  const entries = Object.entries<number>(defaults).map(([key, fallback]) => [
    key,
    optional(block, key, `${at}.${name}`, readNumber, fallback),
  ]);
  return Object.fromEntries(entries) as Record<K, number>;
}

interface RawKey {
  readonly jaw: number;
  readonly lip: readonly [number, number];
  readonly outlines: Readonly<Record<string, Outline>>;
}

const neededKeys = [...visemes, "smile", "concern"];

/** Reads the mouth: its key shapes, and the outlines at rest that these are differences from (character format §5.1). */
function parseMouth(value: unknown, at: string): { mouth: Mouth; outlines: RawKey["outlines"] } {
  const raw = readRecord(parseKey)(readFields(value, at)["keys"], `${at}.keys`);
  const missing = neededKeys.find((name) => raw[name] === undefined);
  if (missing !== undefined)
    throw PuppetError.invalid(`${at}.keys`, `the mouth shape "${missing}" is missing`);
  const rest = raw["sil"]!;
  const keys = new Map(
    Object.entries(raw)
      .filter(([name]) => name !== "sil")
      .map(([name, key]) => [name, difference(key, rest, `${at}.keys.${name}`)]),
  );
  return {
    mouth: { restJaw: rest.jaw, restLipY: rest.lip[0], restLipScale: rest.lip[1], keys },
    outlines: rest.outlines,
  };
}

function parseKey(value: unknown, at: string): RawKey {
  const fields = readFields(value, at);
  return {
    jaw: optional(fields, "jaw", at, readNumber, 0),
    lip: optional(fields, "lip", at, readNumbers(2), [0, 1]) as [number, number],
    outlines: readRecord((text, place) => parseOutline(readText(text, place), place))(fields["d"], `${at}.d`),
  };
}

function difference(key: RawKey, rest: RawKey, at: string): MouthKey {
  const deltas = Object.entries(rest.outlines).map(([id, base]) => {
    const outline = key.outlines[id];
    if (outline === undefined || !sameStructure(outline, base)) {
      throw PuppetError.invalid(`${at}.d.${id}`, "the outline must have the structure it has in sil");
    }
    return [id, outline.points.map((coordinate, i) => coordinate - base.points[i]!)] as const;
  });
  return {
    jaw: key.jaw - rest.jaw,
    lipY: key.lip[0] - rest.lip[0],
    lipScale: key.lip[1] - rest.lip[1],
    deltas: Object.fromEntries(deltas),
  };
}

const hexColour = /^#[0-9a-f]{6}$/i;

/**
 * Reads a character file, packed or not ("Visavis character format 1") that is already parsed from JSON. It checks everything here, so
 * that drawing needs no checks. Unknown fields are ignored.
 * @throws PuppetError INVALID_CHARACTER; its `path` is the place in the file, such as `layers[3].paths[0].d`.
 */
export function parseCharacter(json: unknown): Character {
  const fields = readFields(unpackCharacter(json), "character");
  if (fields["format"] !== undefined && fields["format"] !== 1) {
    throw PuppetError.invalid("format", "only format 1 can be drawn");
  }
  const viewBox = readNumbers(4)(fields["viewBox"], "viewBox");
  if (viewBox.join() !== "0,0,512,512") throw PuppetError.invalid("viewBox", "[0, 0, 512, 512] is expected");
  const rig = parseRig(fields["rig"], "rig");
  const { mouth, outlines } = parseMouth(fields["mouth"], "mouth");
  const context = {
    palette: readRecord(readHex)(fields["palette"], "palette"),
    rig,
    mouthOutlines: outlines,
  };
  const unlinked = readList((value, at) => parseLayer(value, context, at))(fields["layers"], "layers");
  const find = layerFinder(unlinked.map(({ layer }) => layer));
  for (const { link } of unlinked) link(find);
  return {
    name: readText(fields["name"], "name"),
    sizeUnits: 512,
    options: optional(fields, "options", "character", readRecord(readBoolean), {}),
    rig,
    layers: unlinked.toSorted((a, b) => a.z - b.z).map(({ layer }) => layer),
    mouth,
  };
}

function readHex(value: unknown, at: string): string {
  const text = readText(value, at);
  if (!hexColour.test(text)) throw PuppetError.invalid(at, "a colour as #rrggbb is expected");
  return text;
}

function layerFinder(layers: readonly Layer[]): (ref: string, at: string) => ClipRef {
  const byId = new Map(layers.map((layer) => [layer.id, layer]));
  if (byId.size !== layers.length) throw PuppetError.invalid("layers", "two layers have the same id");
  return (ref, at) => {
    const found = findShape((id) => byId.get(id), ref);
    if (found === undefined) throw PuppetError.invalid(at, `no path "${ref}"`);
    return found;
  };
}

/** The shape with the name `layerId#pathId` or `layerId#index`, if it exists. */
export function findShape(layerById: (id: string) => Layer | undefined, ref: string): ClipRef | undefined {
  const [layerId = "", shapeId = ""] = ref.split("#");
  const layer = layerById(layerId);
  const byIndex = /^\d+$/.test(shapeId) ? layer?.shapes[Number(shapeId)] : undefined;
  const shape = layer?.shapes.find(({ id }) => id === shapeId) ?? byIndex;
  return layer && shape && { layer, shape };
}
