import { place, type Style } from "./box-style.ts";
import type { FrameRenderer } from "./frame-renderer.ts";
import type { Matte } from "./matte.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

/** The last fallback: shows the video itself, opaque. With packed alpha, the matte below is cut off. */
export function createVideoRenderer(): FrameRenderer {
  const element = document.createElement("div");
  let shown: HTMLVideoElement | null = null;
  return {
    kind: "video",
    element,
    upload(video: HTMLVideoElement): void {
      shown = video;
    },
    draw(_size: Size, rect: StageRect, { mode }: Matte): void {
      if (!shown) return;
      const packed = mode === "packed-alpha";
      place(shown, packed ? { ...rect, height: rect.height * 2 } : rect);
      const style: Style = { opacity: "1", objectFit: "fill", clipPath: packed ? "inset(0 0 50% 0)" : "" };
      Object.assign(shown.style, style);
    },
    destroy(): void {
      shown = null;
    },
  };
}
