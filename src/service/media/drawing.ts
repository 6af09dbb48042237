import type { PuppetParams } from "../../puppet/index.ts";
import type { VideoFrame } from "./wrtc.ts";

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
