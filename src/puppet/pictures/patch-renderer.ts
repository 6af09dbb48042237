import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";
import { steppedBox, type PixelBox } from "./pixel-box.ts";
import { placedPictures, type PlacedPictures } from "./placed-pictures.ts";

/** The part of a picture in which a frame differs from the one before. */
export interface PicturePatch<C extends CanvasLike = CanvasLike> {
  /** The patch begins at the canvas's top left. Pixels to its right and below it are undefined. */
  readonly canvas: C;
  /** The position and size of the patch in the picture, in multiples of 8 pixels. */
  readonly box: PixelBox;
}

/**
 * Draws a character fast, and only the part of each frame that changed, so that a caller who reads the pixels back need
 * not read the whole picture. It is as accurate as `PuppetRenderer`, but keeps more pictures and draws less often.
 */
export interface PatchRenderer<C extends CanvasLike = CanvasLike> {
  /**
   * Draws what changed in this frame; undefined when nothing did. The patch of the first frame is everything that is
   * not transparent. The next `draw`, also that of a sibling, reuses the canvas.
   */
  draw(params?: PuppetParams): PicturePatch<C> | undefined;
  /** Another renderer of this character and size, with its own current frame, that shares the cached pictures. */
  sibling(): PatchRenderer<C>;
}

/** Patches and their canvases are aligned to this many pixels: then each row of every video plane is a whole number of words. */
const patchStepPx = 8;

/** Canvas sizes are multiples of the picture's side divided by this, so that a few canvases fit all patches. */
const canvasSteps = 8;

/** Creates the patch renderer of a character. `size` is the side of its square picture in device pixels, a multiple of 8. */
export function createPatchRenderer<C extends CanvasLike>(
  character: Character,
  env: PuppetEnvironment<C>,
  { size }: { readonly size: number },
): PatchRenderer<C> {
  return patchRenderer(placedPictures(character, env, { size }), env, size, new Map<string, C>());
}

function patchRenderer<C extends CanvasLike>(
  placed: PlacedPictures,
  env: PuppetEnvironment<C>,
  size: number,
  canvases: Map<string, C>,
): PatchRenderer<C> {
  const canvasStepPx = Math.ceil(size / canvasSteps / patchStepPx) * patchStepPx;
  const canvasFor = (box: PixelBox): C => {
    const [width, height] = [box.width, box.height].map(
      (side) => Math.ceil(side / canvasStepPx) * canvasStepPx,
    );
    const key = `${width} ${height}`;
    const canvas = canvases.get(key) ?? env.createCanvas(width!, height!);
    canvases.set(key, canvas);
    return canvas;
  };
  return {
    draw(params = {}) {
      const changed = placed.place(params);
      if (!changed) return undefined;
      const box = steppedBox(changed, patchStepPx);
      const canvas = canvasFor(box);
      placed.paint(contextOf(canvas), box, box.x, box.y);
      return { canvas, box };
    },
    sibling: () => patchRenderer(placed.sibling(), env, size, canvases),
  };
}
