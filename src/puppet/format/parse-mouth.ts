import type { Mouth, MouthKey } from "./character.ts";
import type { Outline } from "./outline.ts";
import { parseOutline, sameStructure } from "./outline.ts";
import { PuppetError } from "../puppet-error.ts";
import { optional, readFields, readNumber, readNumbers, readRecord, readText } from "./read-json.ts";
import { visemes } from "../viseme.ts";

interface RawKey {
  readonly jaw: number;
  readonly lip: readonly [number, number];
  readonly outlines: Readonly<Record<string, Outline>>;
}

const neededKeys = [...visemes, "smile", "concern"];

/** Reads the mouth: its key shapes, and the outlines at rest that these are differences from (character format §5.1). */
export function parseMouth(value: unknown, at: string): { mouth: Mouth; outlines: RawKey["outlines"] } {
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
