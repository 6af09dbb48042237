import type { Canvas2D, PathEnvironment } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import type { FrameState } from "./frame-state.ts";
import { frameState } from "./frame-state.ts";
import { paintLayers } from "./painter.ts";
import type { PuppetParams } from "../params.ts";
import { Scene } from "./scene.ts";

/** Draws a character exactly and without a cache: the same parameters always give the same picture. */
export interface Rig {
  /**
   * Draws the whole character with its top left at the context's origin. `scale` is device pixels per unit (the picture
   * is 512 units wide). The context may be translated but must have no other scale or rotation, because canvas shadows,
   * which draw the soft shapes, ignore it. The context is not cleared first.
   */
  draw(ctx: Canvas2D, params?: PuppetParams, options?: { readonly scale?: number }): void;
  /**
   * The deformed coordinates x, y, x, y… (units) of a path named `layerId#pathId` or `layerId#index`.
   * @throws PuppetError UNKNOWN_REFERENCE when there is no such path.
   */
  points(ref: string, params?: PuppetParams): Float32Array;
  /** The state of a frame: the mouth mix, jaw, smile and angles that result from the parameters. */
  state(params?: PuppetParams): FrameState;
}

/** Creates the exact rig of a character ("Visavis character format 1"). Faster renderers are compared with it. */
export function createRig(character: Character, env: PathEnvironment): Rig {
  const scene = new Scene(character, env);
  return {
    draw(ctx, params = {}, { scale = 1 } = {}) {
      ctx.save();
      ctx.scale(scale, scale);
      paintLayers(ctx, scene, scene.layers, frameState(character, params), scale);
      ctx.restore();
    },
    points: (ref, params = {}) => scene.find(ref).geometry.points(frameState(character, params)).slice(),
    state: (params = {}) => frameState(character, params),
  };
}
