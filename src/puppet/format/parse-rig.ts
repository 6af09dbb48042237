import type { Fields } from "./read-json.ts";
import { optional, readFields, readNumber, readNumbers, readPositive, readRecord } from "./read-json.ts";
import type { RigSettings, Surface } from "./rig-settings.ts";
import {
  browDefaults,
  builtInSurfaces,
  jawDefaults,
  lidDefaults,
  lipDefaults,
  surfaceDefaults,
  swayDefaults,
} from "./rig-settings.ts";

const radians = Math.PI / 180;

/** Reads the `rig` block and fills in the defaults (character format §4). */
export function parseRig(value: unknown, at: string): RigSettings {
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
