import { createCanvasRenderer } from "./canvas-renderer.ts";
import type { FrameRenderer } from "./frame-renderer.ts";
import { createVideoRenderer } from "./video-renderer.ts";

/** Draws without WebGL: in a 2D canvas, or by the video itself. Loaded where it is needed. */
export function createPlainRenderer(): FrameRenderer {
  return createCanvasRenderer() ?? createVideoRenderer();
}
