import { place } from "./box-style.ts";
import { fit, type FrameRenderer } from "./frame-renderer.ts";
import type { Matte } from "./matte.ts";
import { pictureSize, type Size, type StageRect } from "./stage-geometry.ts";
import { unmatte } from "./unmatte.ts";

/**
 * Draws on the CPU, for browsers without WebGL2 on a GPU. Null without a 2D context. The canvas has the picture's own size, and the
 * browser scales it into its place: each pixel is written once for each frame.
 */
export function createCanvasRenderer(): FrameRenderer | null {
  const element = document.createElement("canvas");
  const frame = document.createElement("canvas");
  const shown = element.getContext("2d");
  // A video has no transparency. The pixels of an opaque canvas are read without being converted.
  const scratch = frame.getContext("2d", { alpha: false, willReadFrequently: true });
  if (!shown || !scratch) return null;
  let placed = "";
  return {
    kind: "2d",
    element,
    upload(video: HTMLVideoElement, matte: Matte): void {
      const size = { width: video.videoWidth, height: video.videoHeight };
      const picture = pictureSize(size, matte.mode);
      fit(element, picture);
      if (matte.mode === "none") {
        shown.drawImage(video, 0, 0);
        return;
      }
      fit(frame, size);
      scratch.drawImage(video, 0, 0);
      const pixels = scratch.getImageData(0, 0, size.width, size.height);
      unmatte(pixels, matte);
      shown.putImageData(pixels, 0, 0, 0, 0, picture.width, picture.height);
    },
    draw(_size: Size, rect: StageRect): void {
      // Setting a style costs a layout, so an equal place is not set again.
      const wanted = Object.values(rect).join();
      if (wanted === placed) return;
      placed = wanted;
      place(element, rect);
    },
    destroy(): void {
      for (const canvas of [frame, element]) fit(canvas, { width: 0, height: 0 });
    },
  };
}
