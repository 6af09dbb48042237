import type { PuppetParams } from "../../puppet/index.ts";
import type { VideoFrame } from "./wrtc.ts";

/** Draws the video frames of one avatar with one matte and size. */
export interface Drawing {
  /** The frame of this pose. The next frame reuses its buffer. */
  draw(params: PuppetParams): VideoFrame;
  /** Call it once when the drawing is no longer needed. */
  release(): void;
}
