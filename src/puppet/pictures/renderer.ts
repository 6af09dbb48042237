import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";
import { FramePlacements, keptPictures } from "./frame-placements.ts";
import { isEmpty } from "./pixel-box.ts";

/** Draws a character fast, from pictures of its parts that it keeps. */
export interface PuppetRenderer<C extends CanvasLike = CanvasLike> {
  /** The canvas that every frame is drawn on, transparent around the character. Only the renderer may draw on it. */
  readonly canvas: C;
  /**
   * Draws a frame and returns the canvas. Only what no kept picture fits is drawn anew: by the points that are
   * sampled, eyes and mouth are then at most 0.6 device pixels off and everything else at most 1.2. But for that
   * difference a frame depends on its parameters alone.
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
  const placements = new FramePlacements(character, env, keptPictures(character, env, size), size);
  canvas.width = size;
  canvas.height = size;
  const ctx = contextOf(canvas);
  return {
    canvas,
    draw(params = {}) {
      const changed = placements.update(params);
      if (!isEmpty(changed)) placements.paint(ctx, changed);
      return canvas;
    },
  };
}
