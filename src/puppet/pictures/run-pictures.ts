import type { FrameState } from "../rig/frame-state.ts";
import { paintLayers, shapeOpacity } from "../rig/painter.ts";
import type { PixelBox } from "./pixel-box.ts";
import type { Scene, SceneLayer, ScenePart } from "../rig/scene.ts";
import { type AffineFit, AffineReference, type Matrix } from "./affine.ts";
import { type CanvasLike, contextOf } from "../canvas.ts";
import type { Shape } from "../format/character.ts";
import type { PictureRoom } from "./picture-room.ts";
import { type LayerRun, MotionSamples, pointCount } from "./layer-runs.ts";
import { clamp } from "../math.ts";

interface Extent {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

/** How many pixels outside the picture are kept too, so that a moved picture does not show its cut edge. */
const marginPx = 8;

/** The box in which some layers can draw in this frame, within the picture of `sizePx` and its margin. */
function layerBounds(
  scene: Scene,
  layers: readonly SceneLayer[],
  state: FrameState,
  scale: number,
  sizePx: number,
): PixelBox {
  const all = nothing();
  for (const layer of layers) {
    if (scene.isShown(layer, state)) include(all, layerExtent(layer, state));
  }
  const left = Math.max(-marginPx, Math.floor(all.left * scale) - 1);
  const top = Math.max(-marginPx, Math.floor(all.top * scale) - 1);
  const right = Math.min(sizePx + marginPx, Math.ceil(all.right * scale) + 1);
  const bottom = Math.min(sizePx + marginPx, Math.ceil(all.bottom * scale) + 1);
  return { x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) };
}

function layerExtent({ clips, parts }: SceneLayer, state: FrameState): Extent {
  const extent = nothing();
  for (const part of parts) {
    const { shape } = part;
    if ((!shape.fill && !shape.stroke) || shapeOpacity(shape, state) === 0) continue;
    const own = outlineExtent(part, state, 3 * shape.blurUnits + (shape.stroke?.width ?? 0) / 2);
    for (const clip of part.clips) cut(own, outlineExtent(clip, state, 0));
    include(extent, own);
  }
  for (const clip of clips) cut(extent, outlineExtent(clip, state, 0));
  return extent;
}

function outlineExtent({ geometry }: ScenePart, state: FrameState, growUnits: number): Extent {
  const points = geometry.points(state);
  const extent = nothing();
  for (let i = 0; i < points.length; i += 2) {
    const x = points[i]!;
    const y = points[i + 1]!;
    if (x < extent.left) extent.left = x;
    if (x > extent.right) extent.right = x;
    if (y < extent.top) extent.top = y;
    if (y > extent.bottom) extent.bottom = y;
  }
  extent.left -= growUnits;
  extent.top -= growUnits;
  extent.right += growUnits;
  extent.bottom += growUnits;
  return extent;
}

function nothing(): Extent {
  return { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
}

function include(extent: Extent, other: Extent): void {
  if (other.left > other.right || other.top > other.bottom) return;
  extent.left = Math.min(extent.left, other.left);
  extent.top = Math.min(extent.top, other.top);
  extent.right = Math.max(extent.right, other.right);
  extent.bottom = Math.max(extent.bottom, other.bottom);
}

function cut(extent: Extent, to: Extent): void {
  extent.left = Math.max(extent.left, to.left);
  extent.top = Math.max(extent.top, to.top);
  extent.right = Math.min(extent.right, to.right);
  extent.bottom = Math.min(extent.bottom, to.bottom);
}

/** The scale and size of the whole picture, and how its parts are cached. */
interface PictureFrame {
  readonly scale: number;
  readonly sizePx: number;
  readonly thrift: Thrift;
}

/** How much memory is given, and how much accuracy, for less drawing. */
export interface Thrift {
  /** How many pixels all cached pictures of one run may have together, in multiples of the whole picture. */
  readonly budget: number;
  /** The same for the pictures of all runs. */
  readonly room: number;
  /** A cached picture that is more than this many pixels off is redrawn as soon as a frame has time for it. */
  readonly tolerancePx: number;
  /** A cached picture that is at most this many pixels off is used without a search for a better one. */
  readonly snugPx: number;
}

/** How much non-urgent redrawing this frame may still do, in outline points. */
interface Allowance {
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
  /** The number of its latest use. */
  use: number;
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
    private readonly room: PictureRoom,
    private readonly run: LayerRun,
    private readonly frame: PictureFrame,
  ) {
    room.add(this);
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

  /** When the picture that was not used for the longest was used last. The one that is shown stays. */
  get oldestUse(): number | undefined {
    return this.#pictures.length > 1 ? this.#pictures.at(-1)?.use : undefined;
  }

  /** Drops that picture and gives its canvas back. */
  drop(): CanvasLike | undefined {
    return this.#pictures.pop()?.canvas;
  }

  #use(picture: KeptPicture): void {
    picture.use = this.room.nextUse();
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
    return { canvas, box, reference: new AffineReference(places), opacities, shown, use: 0 };
  }

  /** A canvas for a box. When the cache is full, the least recently used picture is dropped and its canvas reused. */
  #freeCanvas(box: PixelBox): CanvasLike {
    const width = roundUp(box.width);
    const height = roundUp(box.height);
    const { sizePx, thrift } = this.frame;
    const fitting = Math.floor((thrift.budget * sizePx ** 2) / (width * height));
    const capacity = clamp(fitting, 2, thrift.budget * picturesPerBudget);
    return this.room.canvas(width, height, this.#pictures.length < capacity ? undefined : this.drop());
  }
}

/** Rounds a size up to a step, so that a later picture of a run usually fits the canvas of an earlier one. */
export function roundUp(lengthPx: number): number {
  return Math.max(16, Math.ceil(lengthPx / 16) * 16);
}
