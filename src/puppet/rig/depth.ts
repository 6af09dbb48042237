import type { Layer } from "../format/character.ts";
import { clamp } from "../math.ts";
import type { RigSettings } from "../format/rig-settings.ts";

/** How far a point of a layer stands out towards the viewer, in units (character format §6a, Depth). */
export function depthAt({ surface, depthUnits }: Layer, { head }: RigSettings, x: number, y: number): number {
  const dx = x - head.cx;
  let depth = surface.z0;
  if (surface.z !== 0) {
    const u = dx / surface.rx;
    const bulge = Math.pow(Math.max(surface.min, 1 - u * u), surface.p);
    depth += surface.z * bulge * verticalShare(surface, y);
  }
  depth += depthUnits;
  if (surface.side) {
    const [from, to, sideDepth] = surface.side;
    depth += (sideDepth - depth) * clamp((Math.abs(dx) - from) / (to - from));
  }
  return depth;
}

function verticalShare({ ry, top, bottom, vk, vmin }: Layer["surface"], y: number): number {
  if (ry === 0) return 1;
  const t = y < top ? (top - y) / ry : y > bottom ? (y - bottom) / ry : 0;
  return Math.max(vmin, Math.sqrt(1 - vk * Math.min(1, t * t)));
}
