import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import { frameState } from "../rig/frame-state.ts";
import { layerRuns } from "./layer-runs.ts";
import type { PuppetParams } from "../params.ts";
import { RunPictures } from "./run-pictures.ts";
import { Scene } from "../rig/scene.ts";

/** After this many points were drawn anew in a frame, pictures that still serve wait for the next. */
const pointsPerFrame = 500;

/** Draws a character fast, from pictures of its parts that it keeps. */
export interface PuppetRenderer<C extends CanvasLike = CanvasLike> {
  /** The canvas that every frame is drawn on, transparent around the character. */
  readonly canvas: C;
  /**
   * Draws a frame and returns the canvas. Only what no kept picture fits is drawn anew: by the points that are
   * sampled, eyes and mouth are then at most 0.5 device pixels off and everything else at most 1.1. But for that
   * difference a frame depends on its parameters alone, so one renderer may serve several sessions of a character if each reads its frame before the next is drawn.
   */
  draw(params?: PuppetParams): C;
}

/**
 * Makes the fast renderer of a character. `size` is the side of its square picture in device pixels; `canvas`, if
 * given, is drawn on instead of a new one and is set to that size.
 */
export function createPuppetRenderer<C extends CanvasLike>(
  character: Character,
  env: PuppetEnvironment<C>,
  { size, canvas = env.createCanvas(size, size) }: { readonly size: number; readonly canvas?: C },
): PuppetRenderer<C> {
  canvas.width = size;
  canvas.height = size;
  const ctx = contextOf(canvas);
  const scene = new Scene(character, env);
  const frame = { scale: size / character.sizeUnits, sizePx: size };
  const runs = layerRuns(scene).map((run) => new RunPictures(scene, env, run, frame));
  return {
    canvas,
    draw(params = {}) {
      const state = frameState(character, params);
      ctx.setTransform(1, 0, 0, 1, 0, 0);
      ctx.clearRect(0, 0, size, size);
      const allowance = { points: pointsPerFrame };
      for (const run of runs) run.draw(ctx, state, allowance);
      return canvas;
    },
  };
}
