import type { AffineFit, Matrix } from "./affine.ts";
import { AffineReference } from "./affine.ts";
import type { CanvasLike, PuppetEnvironment } from "../canvas.ts";
import { contextOf } from "../canvas.ts";
import type { Shape } from "../format/character.ts";
import type { FrameState } from "../rig/frame-state.ts";
import type { PixelBox } from "./pixel-box.ts";
import { layerBounds } from "./layer-bounds.ts";
import type { LayerRun } from "./layer-runs.ts";
import { pointCount } from "./layer-runs.ts";
import { clamp } from "../math.ts";
import { MotionSamples } from "./motion-samples.ts";
import { shapeOpacity } from "../rig/opacity.ts";
import { paintLayers } from "../rig/painter.ts";
import type { Scene } from "../rig/scene.ts";

/** The scale and size of the whole picture, and how its parts are cached. */
export interface PictureFrame {
  readonly scale: number;
  readonly sizePx: number;
  readonly thrift: Thrift;
}

/** How much memory is given, and how much accuracy, for less drawing. */
export interface Thrift {
  /** How many pixels all cached pictures of one run may have together, in multiples of the whole picture. */
  readonly budget: number;
  /** A cached picture that is more than this many pixels off is redrawn as soon as a frame has time for it. */
  readonly tolerancePx: number;
  /** A cached picture that is at most this many pixels off is used without a search for a better one. */
  readonly snugPx: number;
}

/** How much non-urgent redrawing this frame may still do, in outline points. */
export interface Allowance {
  points: number;
}

/** Pictures of eyes and mouth that are more than this many pixels off are redrawn at once. */
const livelyTolerancePx = 0.5;

/** A cached picture that is more than this many pixels off is redrawn at once. */
const limitPx = 1.1;

/** How much the opacity of a fading shape may differ in a cached picture. */
const opacityTolerance = 0.02;

/** The most pictures of a run for each unit of its budget. */
const picturesPerBudget = 16;

/** A run of layers as drawn in one frame; `box` is where it was. */
export interface RunPicture {
  readonly canvas: CanvasLike;
  readonly box: PixelBox;
}

interface KeptPicture extends RunPicture {
  readonly reference: AffineReference;
  readonly opacities: readonly number[];
  readonly shown: string;
}

/**
 * A run of layers, cached as a few pictures of earlier frames. A frame uses the picture that an affine map brings
 * closest to it, and draws a new one only when none is close enough.
 */
export class RunPictures {
  readonly #samples: MotionSamples;
  readonly #fading: readonly Shape[];
  /** The latest used first. */
  readonly #pictures: KeptPicture[] = [];
  readonly #pointCount: number;

  constructor(
    private readonly scene: Scene,
    private readonly env: PuppetEnvironment,
    private readonly run: LayerRun,
    private readonly frame: PictureFrame,
  ) {
    this.#samples = new MotionSamples(run.layers);
    this.#pointCount = pointCount(run.layers);
    this.#fading = run.layers
      .flatMap(({ layer }) => layer.shapes)
      .filter(({ opacityBy, visibleBy }) => opacityBy.length > 0 || visibleBy !== undefined);
  }

  /** The picture for this frame and the map to draw it with (no map: in its original place); undefined when the run is hidden. */
  place(
    state: FrameState,
    allowance: Allowance,
  ): { picture: RunPicture; matrix: Matrix | undefined } | undefined {
    const shown = this.run.layers.map((layer) => (this.scene.isShown(layer, state) ? "1" : "0")).join("");
    if (!shown.includes("1")) return undefined;
    const opacities = this.#fading.map((shape) => shapeOpacity(shape, state));
    const places = this.#samples.at(state, this.frame.scale);
    const closest = this.#closest(places, opacities, shown);
    const found = this.#serves(closest?.fit.residual ?? Infinity, allowance) ? closest : undefined;
    const picture = found?.picture ?? this.#drawAnew(places, opacities, shown, state);
    this.#use(picture);
    return { picture, matrix: found?.fit.matrix };
  }

  /** Whether this run moves only with the pose of head and chest. */
  get isPosed(): boolean {
    return this.run.isPosed;
  }

  /** Marks a picture as used again, in the same place as in the last frame. False when it is no longer cached. */
  keep(picture: RunPicture): boolean {
    const kept = this.#pictures.find((known) => known === picture);
    if (kept) this.#use(kept);
    return kept !== undefined;
  }

  #use(picture: KeptPicture): void {
    if (this.#pictures[0] === picture) return;
    const index = this.#pictures.indexOf(picture);
    if (index > 0) this.#pictures.splice(index, 1);
    this.#pictures.unshift(picture);
  }

  #closest(
    places: readonly number[],
    opacities: readonly number[],
    shown: string,
  ): { picture: KeptPicture; fit: AffineFit } | undefined {
    const usable = (picture: KeptPicture): boolean =>
      picture.shown === shown &&
      picture.opacities.every((opacity, i) => Math.abs(opacity - opacities[i]!) <= opacityTolerance);
    let best: { picture: KeptPicture; fit: AffineFit } | undefined;
    for (const picture of this.#pictures) {
      if (!usable(picture)) continue;
      const fit = picture.reference.fit(places, best?.fit.residual ?? limitPx);
      if (!fit) continue;
      best = { picture, fit };
      if (fit.residual <= this.frame.thrift.snugPx) break;
    }
    return best;
  }

  /** Whether a picture that is this far off is used. If not, the cost of redrawing is subtracted from the allowance. */
  #serves(residualPx: number, allowance: Allowance): boolean {
    if (residualPx <= (this.run.isLively ? livelyTolerancePx : this.frame.thrift.tolerancePx)) return true;
    if (this.run.isLively) return false;
    if (residualPx <= limitPx && allowance.points <= 0) return true;
    allowance.points -= this.#pointCount;
    return false;
  }

  #drawAnew(
    places: readonly number[],
    opacities: readonly number[],
    shown: string,
    state: FrameState,
  ): KeptPicture {
    const { scale, sizePx } = this.frame;
    const box = layerBounds(this.scene, this.run.layers, state, scale, sizePx);
    const canvas = this.#freeCanvas(box);
    const ctx = contextOf(canvas);
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.clearRect(0, 0, canvas.width, canvas.height);
    ctx.translate(-box.x, -box.y);
    ctx.scale(scale, scale);
    paintLayers(ctx, this.scene, this.run.layers, state, scale);
    return { canvas, box, reference: new AffineReference(places), opacities, shown };
  }

  /** A canvas for a box. When the cache is full, the least recently used picture is dropped and its canvas reused. */
  #freeCanvas(box: PixelBox): CanvasLike {
    const width = roundUp(box.width);
    const height = roundUp(box.height);
    const { sizePx, thrift } = this.frame;
    const fitting = Math.floor((thrift.budget * sizePx ** 2) / (width * height));
    const capacity = clamp(fitting, 2, thrift.budget * picturesPerBudget);
    const oldest = this.#pictures.length < capacity ? undefined : this.#pictures.pop()?.canvas;
    return oldest?.width === width && oldest.height === height
      ? oldest
      : this.env.createCanvas(width, height, oldest);
  }
}

/** Rounds a size up to a step, so that a later picture of a run usually fits the canvas of an earlier one. */
export function roundUp(lengthPx: number): number {
  return Math.max(16, Math.ceil(lengthPx / 16) * 16);
}
