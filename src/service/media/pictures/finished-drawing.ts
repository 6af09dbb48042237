import { type PixelPatch, toI420 } from "./pixel-patch.ts";
import type { VideoFrame } from "../wrtc.ts";
import { createCanvas, type SKRSContext2D } from "@napi-rs/canvas";
import type { PicturePatch, PuppetParams } from "../../../puppet/index.ts";
import type { AvatarPlace } from "./avatar-place.ts";
import type { Backdrop } from "./backdrops.ts";
import { type CharacterPicture, type Drawing, type DrawingCanvas, pixelsOf } from "./drawing.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import { HeldPose } from "./held-pose.ts";

interface Plane {
  /** Offset of the first byte. */
  start: number;
  /** Bytes per row. */
  row: number;
}

/** The three planes of a picture. One byte of a chroma plane covers 2 × 2 pixels. */
function planesOf(width: number, height: number): (Plane & { scale: 1 | 2 })[] {
  const luma = width * height;
  return [
    { start: 0, row: width, scale: 1 },
    { start: luma, row: width / 2, scale: 2 },
    { start: luma * 1.25, row: width / 2, scale: 2 },
  ];
}

/** One video frame of a finished picture. Every picture reuses its buffer. All sizes and positions are even. */
class FinishedFrame {
  readonly video: VideoFrame;

  /** Starts as a copy of `backdrop`, the picture behind the avatar: planar 4:2:0 of this size. */
  constructor(width: number, height: number, backdrop: Uint8Array) {
    this.video = { width, height, data: Uint8Array.from(backdrop) };
  }

  /** Writes opaque pixels at the position of their box. Parts outside the frame are cut off. */
  put(patch: PixelPatch): void {
    const { width, height, data } = this.video;
    const { box } = patch;
    const [left, top] = [Math.max(0, box.x), Math.max(0, box.y)];
    const [right, bottom] = [Math.min(width, box.x + box.width), Math.min(height, box.y + box.height)];
    if (left >= right || top >= bottom) return;
    const source = toI420(patch);
    const from = planesOf(patch.width, patch.height);
    for (const [index, { start, row, scale }] of planesOf(width, height).entries()) {
      const plane = from[index]!;
      const length = (right - left) / scale;
      for (let y = top / scale; y < bottom / scale; y++) {
        const at = plane.start + (y - box.y / scale) * plane.row + (left - box.x) / scale;
        data.set(source.subarray(at, at + length), start + y * row + left / scale);
      }
    }
  }
}

/** Draws what changes in a frame: opaque pixels and their box in the frame. */
type Compose = (params: PuppetParams) => PixelPatch | undefined;

/** Draws finished frames: the avatar at its position on the backdrop. Throws MediaError `invalid_character`. */
export function finishedDrawing(
  pictures: CharacterPictures,
  characterFile: string,
  backdrop: Backdrop,
  place: AvatarPlace,
): Drawing {
  const { width, height } = backdrop.canvas;
  const frame = new FinishedFrame(width, height, backdrop.i420);
  let isStill = false;
  if (place.side === 0)
    return { aheadMs: 0, isStill: false, draw: () => frame.video, release: () => undefined };
  const picture = pictures.take(characterFile, place.drawn);
  const hold = new HeldPose(pictures.character(characterFile), place.side);
  const compose = place.side === place.drawn ? direct : scaled;
  const composed = compose(picture, backdrop, place);
  return {
    aheadMs: picture.aheadMs,
    get isStill() {
      return isStill;
    },
    draw(params) {
      const patch = composed(hold.hold(params));
      isStill = patch === undefined;
      if (patch) frame.put(patch);
      return picture.isAwaited ? undefined : frame.video;
    },
    release: () => picture.release(),
  };
}

/** For an avatar that is not scaled: the backdrop is drawn below each patch, on the same canvas. */
function direct(
  picture: CharacterPicture,
  { canvas: backdrop }: Backdrop,
  { left, top }: AvatarPlace,
): Compose {
  return (params) => {
    const patch = picture.paint(params);
    if (!patch) return undefined;
    const box = { ...patch.box, x: patch.box.x + left, y: patch.box.y + top };
    if (!isWithin(box, backdrop)) return undefined;
    const ctx = patch.canvas.getContext("2d");
    // The renderer leaves its own transform on the canvas and sets it again for the next patch.
    ctx.setTransform(1, 0, 0, 1, 0, 0);
    ctx.globalCompositeOperation = "destination-over";
    ctx.drawImage(backdrop, -box.x, -box.y);
    ctx.globalCompositeOperation = "source-over";
    return pixelsOf({ canvas: patch.canvas, box });
  };
}

/** Scaling mixes each pixel with its neighbours, so the changed box is enlarged by this many pixels. */
const mixedPx = 2;

/** Canvas sizes for scaled patches are multiples of this many pixels, so that a few canvases fit all patches. */
const canvasStep = 128;

/** For an avatar that is scaled: its whole picture is kept in the drawn size, and the changed part is scaled into the frame. */
function scaled(
  picture: CharacterPicture,
  { canvas: backdrop }: Backdrop,
  { left, top, side, drawn }: AvatarPlace,
): Compose {
  const whole = createCanvas(drawn, drawn);
  const scale = side / drawn;
  return (params) => {
    const patch = picture.paint(params);
    if (!patch) return undefined;
    keep(whole.getContext("2d"), patch);
    const box = scaledBox(patch, scale, { left, top }, backdrop);
    if (!box) return undefined;
    const canvas = scratchCanvas(box.width, box.height);
    const ctx = canvas.getContext("2d");
    ctx.imageSmoothingQuality = scale > 1 ? "medium" : "high";
    ctx.drawImage(backdrop, -box.x, -box.y);
    ctx.drawImage(whole, left - box.x, top - box.y, side, side);
    return pixelsOf({ canvas, box });
  };
}

/** Replaces a part of the whole picture with a patch. */
function keep(
  ctx: SKRSContext2D,
  { canvas, box: { x, y, width, height } }: PicturePatch<DrawingCanvas>,
): void {
  ctx.clearRect(x, y, width, height);
  ctx.drawImage(canvas, 0, 0, width, height, x, y, width, height);
}

/** The part of the frame that a scaled patch changes, on even pixels; undefined if the patch is outside the frame. */
function scaledBox(
  { box }: PicturePatch,
  scale: number,
  { left, top }: Pick<AvatarPlace, "left" | "top">,
  frame: { width: number; height: number },
): PixelPatch["box"] | undefined {
  const grown = mixedPx * Math.max(1, scale);
  const even = (value: number): number => 2 * Math.floor(value / 2);
  const x = Math.max(0, even(left + box.x * scale - grown));
  const y = Math.max(0, even(top + box.y * scale - grown));
  const right = Math.min(frame.width, even(left + (box.x + box.width) * scale + grown) + 2);
  const bottom = Math.min(frame.height, even(top + (box.y + box.height) * scale + grown) + 2);
  return right > x && bottom > y ? { x, y, width: right - x, height: bottom - y } : undefined;
}

const scratchCanvases = new Map<string, DrawingCanvas>();

/** A shared canvas of at least this size. */
function scratchCanvas(width: number, height: number): DrawingCanvas {
  const [w, h] = [width, height].map((side) => Math.ceil(side / canvasStep) * canvasStep);
  const key = `${w} ${h}`;
  const canvas = scratchCanvases.get(key) ?? createCanvas(w, h);
  scratchCanvases.set(key, canvas);
  return canvas;
}

function isWithin(box: PixelPatch["box"], { width, height }: { width: number; height: number }): boolean {
  return box.x < width && box.y < height && box.x + box.width > 0 && box.y + box.height > 0;
}
