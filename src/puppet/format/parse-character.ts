import type { Character, ClipRef, Layer } from "./character.ts";
import { parseLayer } from "./parse-layer.ts";
import { parseMouth } from "./parse-mouth.ts";
import { parseRig } from "./parse-rig.ts";
import { PuppetError } from "../puppet-error.ts";
import {
  optional,
  readBoolean,
  readFields,
  readList,
  readNumbers,
  readRecord,
  readText,
} from "./read-json.ts";
import { unpackCharacter } from "./unpack-character.ts";

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
