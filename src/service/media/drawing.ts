import type { PuppetParams } from "../../puppet/index.ts";
import type { VideoFrame } from "./wrtc.ts";

/** Draws the video frames of one avatar in one form and size. */
export interface Drawing {
  /** The frame of this pose; its buffer is used again for the next. */
  draw(params: PuppetParams): VideoFrame;
  /** To be called once, when it is no longer needed. */
  release(): void;
}
