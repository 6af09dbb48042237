import { type CanvasLike, contextOf, type PuppetEnvironment } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";
import { FramePlacements, keptPictures } from "./placed-pictures.ts";
import { isEmpty } from "./pixel-box.ts";

/** Draws a character fast, from cached pictures of its parts. */
export interface PuppetRenderer<C extends CanvasLike = CanvasLike> {
  /** The canvas that every frame is drawn on, transparent around the character. Only the renderer may draw on it. */
  readonly canvas: C;
  /**
   * Draws a frame and returns the canvas. A part is redrawn only when no cached picture fits. Measured at the sampled
   * points, eyes and mouth are at most 0.6 device pixels off and everything else at most 1.2. Apart from that
   * difference, a frame depends on its parameters alone.
   */
  draw(params?: PuppetParams): C;
}

/** For one viewer, whose device has little memory to spare: at most 48 MB with a picture of 1,024 px, and a tenth more is drawn anew than without a limit. */
const thrift = { budget: 4, room: 6, tolerancePx: 0.5, snugPx: 0.2 };

/**
 * Creates the fast renderer of a character. `size` is the side of its square picture in device pixels. If `canvas` is
 * given, it is used instead of a new one and resized.
 */
export function createPuppetRenderer<C extends CanvasLike>(
  character: Character,
  env: PuppetEnvironment<C>,
  { size, canvas = env.createCanvas(size, size) }: { readonly size: number; readonly canvas?: C },
): PuppetRenderer<C> {
  const placements = new FramePlacements(character, env, keptPictures(character, env, size, thrift), size);
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
