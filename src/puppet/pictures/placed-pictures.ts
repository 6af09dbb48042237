import { type Canvas2D, type CanvasLike, contextOf, type PuppetEnvironment } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import { frameState } from "../rig/frame-state.ts";
import { Scene } from "../rig/scene.ts";
import { type FullParams, isSamePose, type PuppetParams } from "../params.ts";
import { layerRuns } from "./layer-runs.ts";
import { around, emptyBox, isEmpty, overlap, type PixelBox } from "./pixel-box.ts";
import { PictureRoom } from "./picture-room.ts";
import { Placement } from "./placement.ts";
import { roundUp, RunPictures, type Thrift } from "./run-pictures.ts";

/** After this many redrawn points in a frame, pictures that are still close enough are redrawn in a later frame. */
const pointsPerFrame = 500;

/**
 * While the jaw moves faster than this (units per frame), pictures that are still close enough are not redrawn, because the
 * difference is not visible.
 */
const fastJawUnits = 0.4;

const poseParams = ["headTurn", "headNod", "headTilt", "breath", "swayX", "swayY", "options"] as const;

/** The cached pictures of a character at one size. Several renderers can share them. */
export function keptPictures(
  character: Character,
  env: PuppetEnvironment,
  size: number,
  thrift: Thrift,
): RunPictures[] {
  const scene = new Scene(character, env);
  const frame = { scale: size / character.sizeUnits, sizePx: size, thrift };
  const room = new PictureRoom(env, thrift.room * size ** 2);
  return layerRuns(scene).map((run) => new RunPictures(scene, room, run, frame));
}

/** Where the latest frame of one drawn character shows each run of its layers. */
export class FramePlacements {
  #jaw = 0;
  #params: FullParams | undefined;
  /** In the order of painting; undefined for a run that is hidden. */
  readonly placements: (Placement | undefined)[] = [];
  /** The canvas of each run for a placement that stays the same over frames. */
  readonly #settled: (CanvasLike | undefined)[] = [];

  constructor(
    private readonly character: Character,
    private readonly env: PuppetEnvironment,
    private readonly runs: readonly RunPictures[],
    private readonly size: number,
  ) {}

  /** Places the runs for a frame. Returns the box of what changed since the last frame; empty when nothing did. */
  update(params: PuppetParams): PixelBox {
    const state = frameState(this.character, params);
    const isFast = Math.abs(state.jaw - this.#jaw) > fastJawUnits;
    this.#jaw = state.jaw;
    const allowance = { points: isFast ? 0 : pointsPerFrame };
    const isHeld = hasSamePose(state.params, this.#params);
    this.#params = state.params;
    let changed = emptyBox;
    this.runs.forEach((run, i) => {
      const last = this.placements[i];
      if (isHeld && run.isPosed && last && run.keep(last.picture)) return;
      const placed = run.place(state, allowance);
      const placement = placed && new Placement(placed.picture, placed.matrix, this.size, last);
      if (last && placement?.isLike(last)) return;
      changed = around(changed, around(last?.area ?? emptyBox, placement?.area ?? emptyBox));
      this.placements[i] = placement;
    });
    return changed;
  }

  /** Draws the part inside this box. The context's origin is at `x`, `y` of the picture. */
  paint(ctx: Canvas2D, box: PixelBox, x = 0, y = 0): void {
    ctx.setTransform(1, 0, 0, 1, -x, -y);
    ctx.save();
    ctx.clip(this.#outline(box));
    ctx.clearRect(box.x, box.y, box.width, box.height);
    this.placements.forEach((placement, i) => {
      if (placement && overlap(placement.area, box))
        placement.paste(ctx, x, y, (size) => this.#settlingCanvas(i, size));
    });
    ctx.restore();
  }

  #settlingCanvas(i: number, { width, height }: PixelBox): CanvasLike {
    const last = this.#settled[i];
    if (!last || last.width < width || last.height < height)
      return (this.#settled[i] = this.env.createCanvas(roundUp(width), roundUp(height), last));
    const ctx = contextOf(last);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, last.width, last.height);
    return last;
  }

  #outline({ x, y, width, height }: PixelBox): InstanceType<PuppetEnvironment["Path2D"]> {
    const path = new this.env.Path2D();
    path.moveTo(x, y);
    path.lineTo(x + width, y);
    path.lineTo(x + width, y + height);
    path.lineTo(x, y + height);
    path.closePath();
    return path;
  }
}

/** Whether head and chest have the same pose and the same optional parts are shown. */
function hasSamePose(now: FullParams, before: FullParams | undefined): boolean {
  return before !== undefined && poseParams.every((name) => now[name] === before[name]);
}

/**
 * For many viewers, who share the cached pictures. The head follows the jaw in speech, and is the most expensive run: with three times
 * the memory and a fifth of a pixel, it is redrawn in 9 % of the frames of speech instead of 21 %.
 */
const thrift = { budget: 18, room: Infinity, tolerancePx: 0.7, snugPx: 0.4 };

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
