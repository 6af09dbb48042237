import type { Canvas2D, PuppetEnvironment } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import { isSamePose, type PuppetParams } from "../params.ts";
import { FramePlacements, keptPictures } from "./frame-placements.ts";
import { isEmpty, type PixelBox } from "./pixel-box.ts";
import type { Placement } from "./placement.ts";
import type { RunPictures } from "./run-pictures.ts";

/**
 * For many viewers, who share the cached pictures. The head follows the jaw in speech, and is the most expensive run: with three times
 * the memory and a fifth of a pixel, it is redrawn in 9 % of the frames of speech instead of 21 %.
 */
const thrift = { budget: 18, tolerancePx: 0.7, snugPx: 0.4 };

/** The pictures that a frame of one viewer is made of, and where they are. Viewers share the cached pictures. */
export class PlacedPictures {
  readonly #frame: FramePlacements;
  /** The pose that the frame shows already: placing it once more would change nothing. */
  #settled: PuppetParams | undefined;

  constructor(
    private readonly character: Character,
    private readonly env: PuppetEnvironment,
    private readonly runs: readonly RunPictures[],
    private readonly size: number,
  ) {
    this.#frame = new FramePlacements(character, env, runs, size);
  }

  /** Places the pictures for a frame. Returns the box in which it differs from the frame before; undefined when nothing does. */
  place(params: PuppetParams): PixelBox | undefined {
    if (this.#settled && isSamePose(params, this.#settled)) return undefined;
    const changed = this.#frame.update(params);
    this.#settled = isEmpty(changed) ? params : undefined;
    return this.#settled ? undefined : changed;
  }

  /** The pictures in the order of painting; undefined for what is hidden. Valid until the next frame of any viewer. */
  get placements(): readonly (Placement | undefined)[] {
    return this.#frame.placements;
  }

  /** Draws the part inside this box. The context's origin is at `x`, `y` of the picture. */
  paint(ctx: Canvas2D, box: PixelBox, x: number, y: number): void {
    this.#frame.paint(ctx, box, x, y);
  }

  /** For another viewer of this character and size. */
  sibling(): PlacedPictures {
    return new PlacedPictures(this.character, this.env, this.runs, this.size);
  }
}

/** The placed pictures of a character. `size` is the side of its square picture in device pixels. */
export function placedPictures(
  character: Character,
  env: PuppetEnvironment,
  { size }: { readonly size: number },
): PlacedPictures {
  return new PlacedPictures(character, env, keptPictures(character, env, size, thrift), size);
}
