import type { Canvas2D } from "../canvas.ts";
import type { RadialGradient } from "../format/character.ts";
import type { FrameState } from "./frame-state.ts";
import { linearGradient, radialGradient, radialMatrix, unmapPoints } from "./gradient.ts";
import { shapeOpacity } from "./opacity.ts";
import { buildPath } from "./path-builder.ts";
import type { Scene, SceneLayer, ScenePart } from "./scene.ts";

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
      ctx.stroke(buildPath(scene.env, shape.outline, points));
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
  ctx.fill(buildPath(scene.env, shape.outline, points, -farAwayUnits));
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
