import { imageSize } from "image-size";
import { imageContentType } from "../protocol/characters/image-type.ts";
import { isMovingPicture } from "../protocol/characters/moving-picture.ts";
import type { PhotoFault } from "./photo-faults.ts";

/** The longest side of a photograph, in pixels: its pixels need memory, however small its file is. */
const mostPixels = 6_000;

/** A photograph that cannot be used, for these reasons. */
export class PhotoRefusal extends Error {
  override readonly name = "PhotoRefusal";

  constructor(readonly faults: readonly PhotoFault[]) {
    super(faults.join(", "));
  }
}

/** What comes before a picture's pixels: profiles of colours and notes of the camera may be long. */
const headBytes = 1_024 * 1_024;

/** The longest side that a file says it has; 0 where its beginning does not say so. */
function saidSide(head: Uint8Array): number {
  try {
    const { width, height } = imageSize(head);
    return Math.max(width, height);
  } catch {
    return 0;
  }
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

/** Reads a photograph, turned as its camera says; close it when it is needed no more. Throws a PhotoRefusal. */
export async function readPhotograph(file: Blob): Promise<ImageBitmap> {
  // A folder that was dropped cannot be read, nor a file that was deleted since.
  const head = await file
    .slice(0, headBytes)
    .arrayBuffer()
    .catch(() => null);
  if (head === null) throw new PhotoRefusal(["not_a_picture"]);
  const bytes = new Uint8Array(head);
  if (isMovingPicture(bytes)) throw new PhotoRefusal(["animated"]);
  if (imageContentType(bytes) === null) throw new PhotoRefusal(["not_a_picture"]);
  // Before they are decoded: a small file may have more pixels than the page has memory.
  if (saidSide(bytes) > mostPixels) throw new PhotoRefusal(["too_many_pixels"]);
  const bitmap = await createImageBitmap(file).catch(() => null);
  if (bitmap === null) throw new PhotoRefusal(["not_a_picture"]);
  if (Math.max(bitmap.width, bitmap.height) > mostPixels) throw new PhotoRefusal(["too_many_pixels"]);
  return bitmap;
}
