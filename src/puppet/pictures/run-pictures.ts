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

/** Where and how large a picture is drawn. */
export interface PictureFrame {
  readonly scale: number;
  readonly sizePx: number;
}

/** How much may still be drawn anew in this frame that could wait, in points of outlines. */
export interface Allowance {
  points: number;
}

/** A kept picture that is within this many pixels everywhere is taken without looking for a better one. */
const snugPx = 0.2;

/** A kept picture that is more than this many pixels off somewhere is replaced as soon as the frame has time for it… */
const tolerancePx = 0.5;

/** …and at once when it is this far off. */
const limitPx = 1.1;

/** Shapes that fade may be this much off in a kept picture. */
const opacityTolerance = 0.02;

/** How many pixels all pictures of one run may have together, in pictures of 512². */
const runBudget = 4;

/** How many pictures a run may have at most: each is compared with a frame that the latest does not serve. */
const mostPictures = 64;

/** A run of layers as it was in one frame; `box` is where it lay. */
export interface RunPicture {
  readonly canvas: CanvasLike;
  readonly box: PixelBox;
}

interface KeptPicture extends RunPicture {
  readonly reference: AffineReference;
  readonly opacities: readonly number[];
  readonly shown: string;
  lastUse: number;
}

/**
 * A run of layers, kept as a few pictures of its earlier frames. A frame takes the picture that an affine map brings
 * closest to it, and draws a new one only when none comes close enough.
 */
export class RunPictures {
  readonly #samples: MotionSamples;
  readonly #fading: readonly Shape[];
  readonly #pictures: KeptPicture[] = [];
  readonly #pointCount: number;
  #recent: KeptPicture | undefined;
  #clock = 0;

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

  /** The picture that shows the run in this frame and the map to draw it with (none: where it lay); undefined when hidden. */
  place(
    state: FrameState,
    allowance: Allowance,
  ): { picture: RunPicture; matrix: Matrix | undefined } | undefined {
    const shown = this.run.layers.map((layer) => (this.scene.isShown(layer, state) ? "1" : "0")).join("");
    if (!shown.includes("1")) return undefined;
    const opacities = this.#fading.map((shape) => shapeOpacity(shape, state));
    const places = this.#samples.at(state, this.frame.scale);
    const closest = this.#closest(places, opacities, shown);
    const found = closest && this.#serves(closest.fit.residual, allowance) ? closest : undefined;
    const picture = found?.picture ?? this.#drawAnew(places, opacities, shown, state);
    picture.lastUse = ++this.#clock;
    this.#recent = picture;
    return { picture, matrix: found?.fit.matrix };
  }

  /** Whether nothing but the pose of head and chest moves this run. */
  get isPosed(): boolean {
    return this.run.isPosed;
  }

  /** Keeps a picture of this run for a frame that shows it as the frame before; false when it is gone. */
  keep(picture: RunPicture): boolean {
    const kept = this.#pictures.find((known) => known === picture);
    if (kept) kept.lastUse = ++this.#clock;
    return kept !== undefined;
  }

  #closest(
    places: Float32Array,
    opacities: readonly number[],
    shown: string,
  ): { picture: KeptPicture; fit: AffineFit } | undefined {
    const usable = (picture: KeptPicture): boolean =>
      picture.shown === shown &&
      picture.opacities.every((opacity, i) => Math.abs(opacity - opacities[i]!) <= opacityTolerance);
    let best: { picture: KeptPicture; fit: AffineFit } | undefined;
    if (this.#recent && usable(this.#recent)) {
      const fit = this.#recent.reference.fit(places, limitPx);
      if (fit.residual <= snugPx) return { picture: this.#recent, fit };
      best = { picture: this.#recent, fit };
    }
    for (const picture of this.#pictures) {
      if (picture === this.#recent || !usable(picture)) continue;
      const fit = picture.reference.fit(places, best?.fit.residual ?? limitPx);
      if (!best || fit.residual < best.fit.residual) best = { picture, fit };
    }
    return best;
  }

  /** Whether a picture that is this far off is used; if not, what drawing it anew costs is taken off the allowance. */
  #serves(residualPx: number, allowance: Allowance): boolean {
    if (residualPx <= tolerancePx) return true;
    if (this.run.isLively) return false;
    if (residualPx <= limitPx && allowance.points <= 0) return true;
    allowance.points -= this.#pointCount;
    return false;
  }

  #drawAnew(
    places: Float32Array,
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
    const picture = { canvas, box, reference: new AffineReference(places), opacities, shown, lastUse: 0 };
    this.#pictures.push(picture);
    return picture;
  }

  /** A canvas for a box: that of the picture that was not used for the longest time, once there are enough. */
  #freeCanvas(box: PixelBox): CanvasLike {
    const width = roundUp(box.width);
    const height = roundUp(box.height);
    const capacity = clamp(
      Math.floor((runBudget * this.frame.sizePx ** 2) / (width * height)),
      2,
      mostPictures,
    );
    if (this.#pictures.length < capacity) return this.env.createCanvas(width, height);
    const oldest = this.#pictures.reduce((a, b) => (b.lastUse < a.lastUse ? b : a));
    this.#pictures.splice(this.#pictures.indexOf(oldest), 1);
    const { canvas } = oldest;
    return canvas.width === width && canvas.height === height ? canvas : this.env.createCanvas(width, height);
  }
}

/** Sizes go in steps, so that a later picture of a run usually fits the canvas of an earlier one. */
export function roundUp(lengthPx: number): number {
  return Math.max(16, Math.ceil(lengthPx / 16) * 16);
}
