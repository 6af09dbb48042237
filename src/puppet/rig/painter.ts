import type { Matrix } from "../pictures/affine.ts";
import type { Canvas2D, GradientLike } from "../canvas.ts";
import type { LinearGradient, RadialGradient, Shape, Stops } from "../format/character.ts";
import { deform, type Mover } from "./deformation.ts";
import { driverValue, type FrameState } from "./frame-state.ts";
import { clamp } from "../math.ts";
import { buildPath } from "./path-builder.ts";
import type { Scene, SceneLayer, ScenePart } from "./scene.ts";

/** The radius of radial gradients before their map; larger than 1, so that rasterisers keep their precision. */
const radialUnit = 100;

/** A linear gradient whose ends move with the layer. */
function linearGradient(
  ctx: Canvas2D,
  mover: Mover,
  state: FrameState,
  { from, to, stops }: LinearGradient,
): GradientLike {
  const ends = Float32Array.of(...from, ...to);
  deform(mover, state, ends);
  return withStops(ctx.createLinearGradient(ends[0]!, ends[1]!, ends[2]!, ends[3]!), stops);
}

/** A radial gradient around the origin with the radius `radialUnit`, to be drawn under `radialMatrix`. */
function radialGradient(ctx: Canvas2D, { focus, stops }: RadialGradient): GradientLike {
  const gradient = ctx.createRadialGradient(
    focus[0] * radialUnit,
    focus[1] * radialUnit,
    0,
    0,
    0,
    radialUnit,
  );
  return withStops(gradient, stops);
}

/**
 * The map from the circle of `radialGradient` to its ellipse, moved by the deformation around its centre
 * (character format §3, Gradients); undefined when the ellipse has collapsed.
 */
function radialMatrix(mover: Mover, state: FrameState, gradient: RadialGradient): Matrix | undefined {
  const [cx, cy] = gradient.centre;
  // The centre, and what is on its right and below it.
  const places = Float32Array.of(cx, cy, cx + 2, cy, cx, cy + 2);
  deform(mover, state, places);
  const [x = 0, y = 0, rightX = 0, rightY = 0, belowX = 0, belowY = 0] = places;
  const jx = [(rightX - x) / 2, (rightY - y) / 2] as const;
  const jy = [(belowX - x) / 2, (belowY - y) / 2] as const;
  const cos = Math.cos(gradient.rotation);
  const sin = Math.sin(gradient.rotation);
  const [rx, ry] = gradient.radii;
  const a = rx * (cos * jx[0] + sin * jy[0]);
  const b = rx * (cos * jx[1] + sin * jy[1]);
  const c = ry * (cos * jy[0] - sin * jx[0]);
  const d = ry * (cos * jy[1] - sin * jx[1]);
  if (Math.abs(a * d - b * c) < 1e-6) return undefined;
  const unit = 1 / radialUnit;
  return [a * unit, b * unit, c * unit, d * unit, x, y];
}

/** `points` after the inverse of `matrix`. */
function unmapPoints([a, b, c, d, e, f]: Matrix, points: Float32Array): Float32Array {
  const scale = 1 / (a * d - b * c);
  const mapped = new Float32Array(points.length);
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]! - e;
    const y = points[i + 1]! - f;
    mapped[i] = (d * x - c * y) * scale;
    mapped[i + 1] = (a * y - b * x) * scale;
  }
  return mapped;
}

function withStops(gradient: GradientLike, stops: Stops): GradientLike {
  for (const [offset, colour] of stops) gradient.addColorStop(offset, colour);
  return gradient;
}

/** How opaque a shape is in this frame; 0 when it is too faint to draw (character format §3, Drivers). */
export function shapeOpacity({ opacity, opacityBy, visibleBy }: Shape, state: FrameState): number {
  let sum = opacity;
  for (const [driver, gain] of opacityBy) sum += gain * driverValue(driver, state);
  if (visibleBy) sum *= driverValue(visibleBy, state);
  return sum <= 0.003 ? 0 : clamp(sum);
}

/** Soft shapes are drawn this many units to the left of the picture, so that only their shadow lands on it. */
const farAwayUnits = 4000;

/** Blurs with a sigma below this many device pixels are drawn sharp (character format §3, blur). */
const leastBlurPx = 0.45;

/**
 * Paints layers in order, without cached pictures (character format §7).
 * `ctx` must be scaled by `scale` and otherwise at most translated, because shadows ignore the transform.
 */
export function paintLayers(
  ctx: Canvas2D,
  scene: Scene,
  layers: readonly SceneLayer[],
  state: FrameState,
  scale: number,
): void {
  for (const layer of layers) {
    if (!scene.isShown(layer, state)) continue;
    withClips(ctx, scene, layer.clips, state, () => {
      for (const part of layer.parts) paintPart(ctx, scene, part, state, scale);
    });
  }
  ctx.globalAlpha = 1;
}

function paintPart(ctx: Canvas2D, scene: Scene, part: ScenePart, state: FrameState, scale: number): void {
  const { shape, geometry } = part;
  if (!shape.fill && !shape.stroke) return;
  const opacity = shapeOpacity(shape, state);
  if (opacity === 0) return;
  withClips(ctx, scene, part.clips, state, () => {
    const points = geometry.points(state);
    ctx.globalAlpha = opacity;
    fillPart(ctx, scene, part, points, state, scale);
    if (shape.stroke) {
      ctx.strokeStyle = shape.stroke.colour;
      ctx.lineWidth = shape.stroke.width;
      ctx.lineCap = shape.stroke.cap;
      ctx.lineJoin = "round";
      ctx.stroke(buildPath(scene.env, shape.outline, points, { isClosed: true }));
    }
  });
}

function withClips(
  ctx: Canvas2D,
  scene: Scene,
  clips: readonly ScenePart[],
  state: FrameState,
  paint: () => void,
): void {
  if (clips.length === 0) {
    paint();
    return;
  }
  ctx.save();
  for (const clip of clips) ctx.clip(scene.clipPath(clip, state));
  paint();
  ctx.restore();
}

function fillPart(
  ctx: Canvas2D,
  scene: Scene,
  part: ScenePart,
  points: Float32Array,
  state: FrameState,
  scale: number,
): void {
  const { shape, geometry } = part;
  const { fill } = shape;
  if (fill === undefined) return;
  if (typeof fill === "string") {
    if (shape.blurUnits * scale >= leastBlurPx) {
      fillSoft(ctx, scene, part, points, fill, scale);
      return;
    }
    ctx.fillStyle = fill;
  } else if (fill.kind === "linear") {
    ctx.fillStyle = linearGradient(ctx, geometry.mover, state, fill);
  } else {
    fillRadial(ctx, scene, part, points, state, fill);
    return;
  }
  ctx.fill(buildPath(scene.env, shape.outline, points));
}

function fillSoft(
  ctx: Canvas2D,
  scene: Scene,
  { shape }: ScenePart,
  points: Float32Array,
  colour: string,
  scale: number,
): void {
  ctx.save();
  ctx.shadowColor = colour;
  ctx.shadowBlur = shape.blurUnits * 2 * scale;
  ctx.shadowOffsetX = farAwayUnits * scale;
  ctx.shadowOffsetY = 0;
  ctx.fillStyle = "#000";
  ctx.fill(buildPath(scene.env, shape.outline, points, { offsetX: -farAwayUnits }));
  ctx.restore();
}

function fillRadial(
  ctx: Canvas2D,
  scene: Scene,
  { shape, geometry }: ScenePart,
  points: Float32Array,
  state: FrameState,
  fill: RadialGradient,
): void {
  const matrix = radialMatrix(geometry.mover, state, fill);
  if (!matrix) return;
  ctx.save();
  ctx.transform(...matrix);
  ctx.fillStyle = radialGradient(ctx, fill);
  ctx.fill(buildPath(scene.env, shape.outline, unmapPoints(matrix, points)));
  ctx.restore();
}
