import type { Layer, Ramp } from "../format/character.ts";
import { clamp, smooth } from "../math.ts";
import type { RigSettings } from "../format/rig-settings.ts";
import type { FrameState } from "./frame-state.ts";

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

/** Points x, y, x, y… that are changed in place. */
type Places = Float32Array;

/** A layer with the gaze travel of the shape (or gradient) that is being moved. */
export interface Mover {
  readonly rig: RigSettings;
  readonly layer: Layer;
  readonly gazeTravel: readonly [number, number];
}

/**
 * Moves points of the resting picture to their positions in this frame: T of the character format §6, with its steps in
 * order. `knownDepths` avoids computing the depths again of points that are still at rest before the head step.
 */
export function deform(
  { rig, layer, gazeTravel }: Mover,
  state: FrameState,
  places: Places,
  knownDepths?: Float32Array | null,
): void {
  const { params } = state;
  const gazeX = gazeTravel[0] * params.gazeX;
  const gazeY = gazeTravel[1] * params.gazeY;
  if (gazeX !== 0 || gazeY !== 0)
    for (let i = 0; i < places.length; i += 2) {
      places[i]! += gazeX;
      places[i + 1]! += gazeY;
    }
  if (layer.brow) moveBrow(rig, layer.brow, state, places);
  if (layer.lip) moveLip(rig, state, places);
  if (layer.sway)
    for (let i = 0; i < places.length; i += 2) {
      const share = smooth(layer.sway.y0, layer.sway.y1, places[i + 1]!);
      places[i]! += params.swayX * layer.sway.x * share;
      places[i + 1]! += params.swayY * layer.sway.y * share;
    }
  if (layer.followsHead) moveWithHead(rig, layer, state, places, knownDepths);
  else
    for (let i = 1; i < places.length; i += 2)
      places[i]! -= 2 * params.breath * (1 - smooth(420, 520, places[i]!));
}

/** Whether the steps before the head step leave the points of this mover at rest. */
export function entersHeadAtRest({ layer, gazeTravel }: Mover): boolean {
  return gazeTravel[0] === 0 && gazeTravel[1] === 0 && !layer.brow && !layer.lip && !layer.sway;
}

function rampAt({ y0, y1, from, to }: Ramp, y: number): number {
  return from + (to - from) * smooth(y0, y1, y);
}

function moveBrow(
  { brow }: RigSettings,
  reach: NonNullable<Layer["brow"]>,
  { params, concern, mouthSmile }: FrameState,
  places: Places,
): void {
  for (let i = 0; i < places.length; i += 2) {
    const inner = 1 - clamp(Math.abs(places[i]! - reach.innerX) / reach.length);
    places[i + 1]! -=
      params.browRaise * (brow.raise + brow.outer * (1 - inner)) +
      concern * (brow.concern * inner - brow.rest) -
      mouthSmile * brow.smile;
    places[i]! += concern * inner * reach.direction * brow.pinch;
  }
}

function moveLip({ lip }: RigSettings, { lipScale, lipY, mouthSmile }: FrameState, places: Places): void {
  for (let i = 0; i < places.length; i += 2) {
    const dx = places[i]! - lip.x;
    const end = Math.min(1, Math.abs(dx) / lip.w);
    places[i]! += dx * (lipScale - 1) * end;
    places[i + 1]! +=
      lipY * (lip.base + (1 - lip.base) * clamp((places[i + 1]! - lip.y0) / (lip.y1 - lip.y0))) -
      mouthSmile * lip.smile * end * end;
  }
}

/** Hair ends and the neck take only a share of the head's motion. */
function moveWithHead(
  rig: RigSettings,
  layer: Layer,
  state: FrameState,
  places: Places,
  knownDepths?: Float32Array | null,
): void {
  const { head } = rig;
  const { jaw, smile, sinYaw, cosYaw, sinPitch, cosPitch, sinRoll, cosRoll, perspective } = state;
  const { x: jawX, narrow, ny0, ny1, neck, neckY0, neckY1 } = rig.jaw;
  for (let i = 0; i < places.length; i += 2) {
    const restX = places[i]!;
    const restY = places[i + 1]!;
    const depth = knownDepths ? knownDepths[i >> 1]! : depthAt(layer, rig, restX, restY);
    const share = layer.follow ? rampAt(layer.follow, restY) : 1;
    let [x, y] = [restX, restY];
    if (layer.jaw) {
      y += jaw * jawShare(rig, x, y);
      x -= (x - jawX) * jaw * narrow * smooth(ny0, ny1, y);
    }
    if (layer.cheek !== 0) y -= smile * layer.cheek * cheekShare(rig, x, y);
    const dx = x - head.cx;
    const dy = y - head.cy;
    const near = -dx * sinYaw + depth * cosYaw;
    const scale = 1 + (near - 30 * cosYaw) * perspective;
    const px = (dx * cosYaw + depth * sinYaw) * scale + head.cx - head.pivotX;
    const py = (dy * cosPitch + near * sinPitch) * scale + head.cy - head.pivotY;
    x = head.pivotX + px * cosRoll - py * sinRoll + sinRoll * head.rollShift;
    y = head.pivotY + px * sinRoll + py * cosRoll;
    if (share < 0.999) {
      const ownY = layer.jaw ? restY + jaw * neck * (1 - smooth(neckY0, neckY1, restY)) : restY;
      x = restX + (x - restX) * share;
      y = ownY + (y - ownY) * share;
    }
    places[i] = x;
    places[i + 1] = y;
  }
}

function jawShare({ jaw }: RigSettings, x: number, y: number): number {
  const t = Math.abs(x - jaw.x) / jaw.w;
  return smooth(jaw.y0, jaw.y1 + jaw.bow * Math.min(1, t * t), y) * (1 - jaw.side * Math.min(1, t));
}

function cheekShare({ cheek, head }: RigSettings, x: number, y: number): number {
  if (!cheek) return 1;
  const across = (x - head.cx) / cheek.x;
  const down = (y - cheek.y) / cheek.ry;
  return Math.exp(-cheek.sharp * (across * across - 1) ** 2 - down * down);
}
