import { imageContentType } from "../protocol/image-type.ts";
import type { PhotoFault } from "./photo-faults.ts";

/** The longest side of a photograph, in pixels: its pixels need memory, however small its file is. */
const mostPixels = 6_000;
/** The longest side that is worked on. */
const workingPx = 1_600;

/** A photograph that cannot be used, for these reasons. */
export class PhotoRefusal extends Error {
  override readonly name = "PhotoRefusal";

  constructor(readonly faults: readonly PhotoFault[]) {
    super(faults.join(", "));
  }
}

/** Names of chunks that only moving pictures have, of PNG and WebP. */
const movingChunks = ["acTL", "ANIM"];

function isAnimated(bytes: Uint8Array, contentType: string): boolean {
  // Such chunks come first; compressed pixels may contain any four letters.
  const beginning = String.fromCharCode(...bytes.subarray(0, 1_024));
  if (contentType === "image/avif") return beginning.includes("ftypavis");
  return contentType !== "image/jpeg" && movingChunks.some((name) => beginning.includes(name));
}

/** A canvas with a picture's part, scaled to a size. */
export function canvasOf(
  picture: CanvasImageSource,
  [x, y, width, height]: readonly [number, number, number, number],
  toWidth: number,
  toHeight = toWidth,
): HTMLCanvasElement {
  const canvas = Object.assign(document.createElement("canvas"), { width: toWidth, height: toHeight });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, x, y, width, height, 0, 0, toWidth, toHeight);
  return canvas;
}

/** The pixels of a canvas. */
export function pixelsOf(canvas: HTMLCanvasElement): ImageData {
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no 2D canvas.");
  return context.getImageData(0, 0, canvas.width, canvas.height);
}

/** Reads a photograph, turned as its camera says. Throws a PhotoRefusal. */
export async function readPhotograph(file: Blob): Promise<HTMLCanvasElement> {
  const bytes = new Uint8Array(await file.slice(0, 1_024).arrayBuffer());
  if (String.fromCharCode(...bytes.subarray(0, 4)) === "GIF8") throw new PhotoRefusal(["animated"]);
  const contentType = imageContentType(bytes);
  if (contentType === null) throw new PhotoRefusal(["not_a_picture"]);
  if (isAnimated(bytes, contentType)) throw new PhotoRefusal(["animated"]);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) throw new PhotoRefusal(["not_a_picture"]);
  const { width, height } = bitmap;
  if (Math.max(width, height) > mostPixels) throw new PhotoRefusal(["too_many_pixels"]);
  const scale = Math.min(1, workingPx / Math.max(width, height));
  const canvas = canvasOf(
    bitmap,
    [0, 0, width, height],
    Math.max(1, Math.round(width * scale)),
    Math.max(1, Math.round(height * scale)),
  );
  bitmap.close();
  return canvas;
}
