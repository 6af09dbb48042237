import { fit, type FrameRenderer } from "./frame-renderer.ts";
import type { Matte } from "./matte.ts";
import { pictureSize, type Size, type StageRect } from "./stage-geometry.ts";
import { unmatte } from "./unmatte.ts";

/** Draws with the processor, where there is no WebGL2. Null without a 2D context. */
export function createCanvasRenderer(): FrameRenderer | null {
  const element = document.createElement("canvas");
  const frame = document.createElement("canvas");
  const shown = element.getContext("2d");
  const scratch = frame.getContext("2d", { willReadFrequently: true });
  if (!shown || !scratch) return null;
  return {
    kind: "2d",
    element,
    upload(video: HTMLVideoElement, matte: Matte): void {
      const { videoWidth: width, videoHeight: height } = video;
      fit(frame, { width, height });
      scratch.drawImage(video, 0, 0);
      if (matte.mode === "none") return;
      const pixels = scratch.getImageData(0, 0, width, height);
      unmatte(pixels, matte);
      scratch.putImageData(pixels, 0, 0);
    },
    draw(size: Size, rect: StageRect, { mode }: Matte): void {
      fit(element, size);
      shown.clearRect(0, 0, size.width, size.height);
      if (!frame.width || !frame.height) return;
      const picture = pictureSize(frame, mode);
      shown.drawImage(
        frame,
        0,
        0,
        picture.width,
        picture.height,
        rect.left * size.width,
        rect.top * size.height,
        rect.width * size.width,
        rect.height * size.height,
      );
    },
    destroy(): void {
      fit(frame, { width: 0, height: 0 });
    },
  };
}
