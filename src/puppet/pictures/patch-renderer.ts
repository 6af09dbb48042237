import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import type { PuppetParams } from "../params.ts";
import { FramePlacements, keptPictures } from "./frame-placements.ts";
import { isEmpty, steppedBox, type PixelBox } from "./pixel-box.ts";
import type { RunPictures } from "./run-pictures.ts";

/** The part of a picture in which a frame differs from the one before. */
export interface PicturePatch<C extends CanvasLike = CanvasLike> {
  /** The part's top left is the canvas's own; to its right and below the canvas may hold anything. */
  readonly canvas: C;
  /** Where it lies on the picture, in multiples of 8 pixels. */
  readonly box: PixelBox;
}

/**
 * Draws a character fast, and of every frame only the part that changed: what reads the pixels back need not read the
 * whole picture. A frame is otherwise as the `PuppetRenderer` draws it.
 */
export interface PatchRenderer<C extends CanvasLike = CanvasLike> {
  /**
   * Draws what this frame changes; undefined when that is nothing. The first frame's patch is all that is not
   * transparent. The canvas is drawn on again by the next `draw`, also by that of a sibling.
   */
  draw(params?: PuppetParams): PicturePatch<C> | undefined;
  /** Another renderer of this character and size, at its own frame, that shares the kept pictures. */
  sibling(): PatchRenderer<C>;
}

/** Patches and their canvases lie on multiples of this many pixels: then all planes of video are of whole words. */
const patchStepPx = 8;

/** The canvases of patches come in steps of this part of the picture's side, so that few of them serve all. */
const canvasSteps = 8;

/** Makes the renderer of a character's patches. `size` is the side of its square picture in device pixels, a multiple of 8. */
export function createPatchRenderer<C extends CanvasLike>(
  character: Character,
  env: PuppetEnvironment<C>,
  { size }: { readonly size: number },
): PatchRenderer<C> {
  return patchRenderer(character, env, keptPictures(character, env, size), size, new Map<string, C>());
}

function patchRenderer<C extends CanvasLike>(
  character: Character,
  env: PuppetEnvironment<C>,
  runs: readonly RunPictures[],
  size: number,
  canvases: Map<string, C>,
): PatchRenderer<C> {
  const placements = new FramePlacements(character, env, runs, size);
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
      const changed = placements.update(params);
      if (isEmpty(changed)) return undefined;
      const box = steppedBox(changed, patchStepPx);
      const canvas = canvasFor(box);
      placements.paint(contextOf(canvas), box, box.x, box.y);
      return { canvas, box };
    },
    sibling: () => patchRenderer(character, env, runs, size, canvases),
  };
}
