import type { CanvasLike, PicturePatch, PuppetParams } from "../../../puppet/index.ts";
import type { VideoFrame } from "../wrtc.ts";
import type { Canvas } from "@napi-rs/canvas";
import type { PixelPatch } from "./pixel-patch.ts";

/** Draws the video frames of one avatar with one matte and size. */
export interface Drawing {
  /** How long before it is shown a pose must be known, in ms. */
  readonly aheadMs: number;
  /** The frame of this pose; undefined while the first picture is awaited. The next frame reuses its buffer. */
  draw(params: PuppetParams): VideoFrame | undefined;
  /** Whether the latest frame is the same as the one before it. */
  readonly isStill: boolean;
  /** Call it once when the drawing is no longer needed. */
  release(): void;
}

/** A canvas of @napi-rs/canvas. */
export type DrawingCanvas = Canvas & CanvasLike;

/** Draws one character at one size for one session. It shares layers and buffers with other sessions. */
export interface CharacterPicture {
  /** How long before it is shown a pose must be known, in ms. */
  readonly aheadMs: number;
  /** Whether there is no picture yet, because another thread draws it. */
  readonly isAwaited: boolean;
  /** Draws a frame. Returns what changed, if anything, on a canvas that the next frame of any picture may reuse. */
  paint(params: PuppetParams): PicturePatch<DrawingCanvas> | undefined;
  /** Draws a frame. Returns a copy of what changed, if anything. */
  draw(params: PuppetParams): PixelPatch | undefined;
  /** Call it once when the picture is no longer needed: its cached layers take several megabytes. */
  release(): void;
}

/** Reads the pixels of a patch. */
export function pixelsOf({ canvas, box }: PicturePatch<DrawingCanvas>): PixelPatch {
  return { rgba: canvas.data(), width: canvas.width, height: canvas.height, box };
}
