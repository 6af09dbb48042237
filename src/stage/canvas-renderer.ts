import { alphaFloor, alphaSpan, chromaFar, chromaNear, type Matte, type Rgb } from "./matte.ts";
import { place } from "./box-style.ts";
import { fit, type FrameRenderer } from "./frame-renderer.ts";
import { pictureSize, type Size, type StageRect } from "./stage-geometry.ts";

/** Pixels as a canvas gives them: red, green, blue, alpha, 0 to 255 each, alpha not multiplied in. */
interface Pixels {
  readonly data: Uint8ClampedArray;
  readonly width: number;
  readonly height: number;
}

/**
 * Removes the matte from the pixels of a video frame, in place. With packed alpha, the upper half is the result. The
 * arithmetic is that of the shader, but the result is not premultiplied, as a 2D canvas expects it.
 */
export function unmatte(pixels: Pixels, { mode, key }: Matte): void {
  if (mode === "packed-alpha") unpackAlpha(pixels);
  else if (mode === "chroma") removeKey(pixels, key);
}

/** The alpha of each brightness of a matte, 0 to 1. */
const alphas = Float64Array.from({ length: 256 }, (_, value) =>
  Math.min(Math.max((value / 255 - alphaFloor) / alphaSpan, 0), 1),
);

function unpackAlpha({ data, width, height }: Pixels): void {
  const half = width * Math.floor(height / 2);
  const whole = new Uint32Array(data.buffer, data.byteOffset, half);
  for (let at = 0, byte = 0; at < half; at++, byte += 4) {
    const alpha = alphas[data[byte + half * 4 + 1]!]!;
    // Nearly all pixels are opaque, as they were read, or fully transparent.
    if (alpha === 1) continue;
    if (alpha === 0) whole[at] = 0;
    else {
      // The clamped array limits each quotient to 255, as the shader limits the colour to the alpha.
      for (let channel = byte; channel < byte + 3; channel++) data[channel] = data[channel]! / alpha;
      data[byte + 3] = alpha * 255;
    }
  }
}

function removeKey({ data }: Pixels, key: Rgb): void {
  const [keyBlue, keyRed] = chroma(key[0] * 255, key[1] * 255, key[2] * 255);
  for (let at = 0; at < data.length; at += 4) {
    const [blue, red] = chroma(data[at]!, data[at + 1]!, data[at + 2]!);
    const distance = Math.hypot(blue - keyBlue, red - keyRed) / 255;
    const t = Math.min(Math.max((distance - chromaNear) / (chromaFar - chromaNear), 0), 1);
    const alpha = t * t * (3 - 2 * t);
    data[at + 3] = alpha * 255;
    if (alpha > 0)
      for (let channel = 0; channel < 3; channel++)
        data[at + channel] = (data[at + channel]! - key[channel]! * 255 * (1 - alpha)) / alpha;
  }
}

const chroma = (red: number, green: number, blue: number): [number, number] => [
  -0.169 * red - 0.331 * green + 0.5 * blue,
  0.5 * red - 0.419 * green - 0.081 * blue,
];

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
