import type { Layer, Ramp } from "../format/character.ts";
import { depthAt } from "./depth.ts";
import type { FrameState } from "./frame-state.ts";
import { clamp, smooth } from "../math.ts";
import type { RigSettings } from "../format/rig-settings.ts";

/** A point that is changed in place. */
export interface MutablePoint {
  x: number;
  y: number;
}

/** A layer with the gaze travel of the shape (or gradient) that is being moved. */
export interface Mover {
  readonly rig: RigSettings;
  readonly layer: Layer;
  readonly gazeTravel: readonly [number, number];
}

/**
 * Moves a point of the resting picture to its position in this frame: T of the character format §6, with its steps in
 * order. `knownDepth` avoids computing the depth again for a point that is still at rest before the head step.
 */
export function deform(mover: Mover, state: FrameState, point: MutablePoint, knownDepth?: number): void {
  const { rig, layer, gazeTravel } = mover;
  point.x += gazeTravel[0] * state.params.gazeX;
  point.y += gazeTravel[1] * state.params.gazeY;
  if (layer.brow) moveBrow(rig, layer.brow, state, point);
  if (layer.lip) moveLip(rig, state, point);
  if (layer.sway) {
    const share = smooth(layer.sway.y0, layer.sway.y1, point.y);
    point.x += state.params.swayX * layer.sway.x * share;
    point.y += state.params.swayY * layer.sway.y * share;
  }
  if (!layer.followsHead) {
    point.y -= 2 * state.params.breath * (1 - smooth(420, 520, point.y));
    return;
  }
  const depth = knownDepth ?? depthAt(layer, rig, point.x, point.y);
  const share = layer.follow ? rampAt(layer.follow, point.y) : 1;
  if (share >= 0.999) moveWithHead(rig, layer, state, depth, point);
  else followHead(rig, layer, state, depth, share, point);
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
  state: FrameState,
  point: MutablePoint,
): void {
  const inner = 1 - clamp(Math.abs(point.x - reach.innerX) / reach.length);
  point.y -=
    state.params.browRaise * (brow.raise + brow.outer * (1 - inner)) +
    state.concern * (brow.concern * inner - brow.rest) -
    state.mouthSmile * brow.smile;
  point.x += state.concern * inner * reach.direction * brow.pinch;
}

function moveLip({ lip }: RigSettings, state: FrameState, point: MutablePoint): void {
  const dx = point.x - lip.x;
  const end = Math.min(1, Math.abs(dx) / lip.w);
  point.x += dx * (state.lipScale - 1) * end;
  point.y +=
    state.lipY * (lip.base + (1 - lip.base) * clamp((point.y - lip.y0) / (lip.y1 - lip.y0))) -
    state.mouthSmile * lip.smile * end * end;
}

/** Hair ends and the neck take only a share of the head's motion. */
function followHead(
  rig: RigSettings,
  layer: Layer,
  state: FrameState,
  depth: number,
  share: number,
  point: MutablePoint,
): void {
  const { x, y } = point;
  const { neck, neckY0, neckY1 } = rig.jaw;
  const restY = layer.jaw ? y + state.jaw * neck * (1 - smooth(neckY0, neckY1, y)) : y;
  moveWithHead(rig, layer, state, depth, point);
  point.x = x + (point.x - x) * share;
  point.y = restY + (point.y - restY) * share;
}

function moveWithHead(
  rig: RigSettings,
  layer: Layer,
  state: FrameState,
  depth: number,
  point: MutablePoint,
): void {
  if (layer.jaw) moveJaw(rig, state, point);
  if (layer.cheek !== 0) point.y -= state.smile * layer.cheek * cheekShare(rig, point);
  const { head } = rig;
  const dx = point.x - head.cx;
  const dy = point.y - head.cy;
  const near = -dx * state.sinYaw + depth * state.cosYaw;
  const scale = 1 + (near - 30 * state.cosYaw) * state.perspective;
  const px = (dx * state.cosYaw + depth * state.sinYaw) * scale + head.cx - head.pivotX;
  const py = (dy * state.cosPitch + near * state.sinPitch) * scale + head.cy - head.pivotY;
  point.x = head.pivotX + px * state.cosRoll - py * state.sinRoll + state.sinRoll * head.rollShift;
  point.y = head.pivotY + px * state.sinRoll + py * state.cosRoll;
}

function moveJaw({ jaw }: RigSettings, state: FrameState, point: MutablePoint): void {
  const dx = point.x - jaw.x;
  const t = Math.abs(dx) / jaw.w;
  const share =
    smooth(jaw.y0, jaw.y1 + jaw.bow * Math.min(1, t * t), point.y) * (1 - jaw.side * Math.min(1, t));
  point.y += state.jaw * share;
  point.x -= dx * state.jaw * jaw.narrow * smooth(jaw.ny0, jaw.ny1, point.y);
}

function cheekShare({ cheek, head }: RigSettings, { x, y }: MutablePoint): number {
  if (!cheek) return 1;
  const across = (x - head.cx) / cheek.x;
  const down = (y - cheek.y) / cheek.ry;
  return Math.exp(-cheek.sharp * (across * across - 1) ** 2 - down * down);
}
