import type { Canvas2D, CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Character } from "../format/character.ts";
import { frameState } from "../rig/frame-state.ts";
import { layerRuns } from "./layer-runs.ts";
import type { FullParams, PuppetParams } from "../params.ts";
import { around, emptyBox, isEmpty, overlap, type PixelBox } from "./pixel-box.ts";
import { Placement } from "./placement.ts";
import { roundUp, RunPictures } from "./run-pictures.ts";
import { Scene } from "../rig/scene.ts";

/** After this many points were drawn anew in a frame, pictures that still serve wait for the next. */
const pointsPerFrame = 500;

/** While the jaw moves faster than this (units a frame), pictures that still serve are good enough: nobody can tell. */
const fastJawUnits = 0.4;

const poseParams = ["headTurn", "headNod", "headTilt", "breath", "swayX", "swayY", "options"] as const;

/** Draws a character fast, from pictures of its parts that it keeps. */
export interface PuppetRenderer<C extends CanvasLike = CanvasLike> {
  /** The canvas that every frame is drawn on, transparent around the character. Only the renderer may draw on it. */
  readonly canvas: C;
  /** What the latest `draw` changed on the canvas; nothing else differs from the frame before. Empty at times. */
  readonly changed: PixelBox;
  /**
   * Draws a frame and returns the canvas. Only what no kept picture fits is drawn anew: by the points that are
   * sampled, eyes and mouth are then at most 0.6 device pixels off and everything else at most 1.2. But for that
   * difference a frame depends on its parameters alone.
   */
  draw(params?: PuppetParams): C;
  /** Another renderer of this character and size that has a canvas of its own and shares the kept pictures. */
  sibling(): PuppetRenderer<C>;
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
  const scene = new Scene(character, env);
  const frame = { scale: size / character.sizeUnits, sizePx: size };
  const runs = layerRuns(scene).map((run) => new RunPictures(scene, env, run, frame));
  return new FrameRenderer(character, env, runs, size, canvas);
}

class FrameRenderer<C extends CanvasLike> implements PuppetRenderer<C> {
  #changed = emptyBox;
  #jaw = 0;
  #params: FullParams | undefined;
  readonly #ctx: Canvas2D;
  /** Where the latest frame shows each run. */
  readonly #placements: (Placement | undefined)[] = [];
  /** Where each run's placement settles, when it stays. */
  readonly #settled: (CanvasLike | undefined)[] = [];

  constructor(
    private readonly character: Character,
    private readonly env: PuppetEnvironment<C>,
    private readonly runs: readonly RunPictures[],
    private readonly size: number,
    readonly canvas: C,
  ) {
    canvas.width = size;
    canvas.height = size;
    this.#ctx = contextOf(canvas);
  }

  get changed(): PixelBox {
    return this.#changed;
  }

  draw(params: PuppetParams = {}): C {
    const state = frameState(this.character, params);
    const isFast = Math.abs(state.jaw - this.#jaw) > fastJawUnits;
    this.#jaw = state.jaw;
    const allowance = { points: isFast ? 0 : pointsPerFrame };
    const isHeld = hasSamePose(state.params, this.#params);
    this.#params = state.params;
    this.#changed = emptyBox;
    this.runs.forEach((run, i) => {
      const last = this.#placements[i];
      if (isHeld && run.isPosed && last && run.keep(last.picture)) return;
      const placed = run.place(state, allowance);
      this.#place(i, placed && new Placement(placed.picture, placed.matrix, this.size));
    });
    if (!isEmpty(this.#changed)) this.#paint(this.#changed);
    return this.canvas;
  }

  sibling(): PuppetRenderer<C> {
    const { character, env, runs, size } = this;
    return new FrameRenderer(character, env, runs, size, env.createCanvas(size, size));
  }

  #place(i: number, placement: Placement | undefined): void {
    const last = this.#placements[i];
    if (last === placement || (last && placement?.isLike(last))) return;
    this.#changed = around(this.#changed, around(last?.area ?? emptyBox, placement?.area ?? emptyBox));
    this.#placements[i] = placement;
  }

  #paint(box: PixelBox): void {
    const ctx = this.#ctx;
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.save();
    ctx.clip(this.#outline(box));
    ctx.clearRect(box.x, box.y, box.width, box.height);
    this.#placements.forEach((placement, i) => {
      if (placement && overlap(placement.area, box))
        placement.paste(ctx, (size) => this.#settlingCanvas(i, size));
    });
    ctx.restore();
  }

  #settlingCanvas(i: number, { width, height }: PixelBox): CanvasLike {
    const last = this.#settled[i];
    if (!last || last.width < width || last.height < height)
      return (this.#settled[i] = this.env.createCanvas(roundUp(width), roundUp(height)));
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

/** Whether head and chest are held alike, and the same parts shown. */
function hasSamePose(now: FullParams, before: FullParams | undefined): boolean {
  return before !== undefined && poseParams.every((name) => now[name] === before[name]);
}
