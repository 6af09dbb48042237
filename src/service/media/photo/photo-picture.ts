import { createCanvas, ImageData } from "@napi-rs/canvas";
import type { CharacterPicture, DrawingCanvas } from "../character-picture.ts";
import type { PixelPatch } from "../pixel-patch.ts";
import type { PhotoArtist } from "./photo-artist.ts";

/** A picture is finished one video frame after its pose was ordered, so poses are ordered that much ahead, in ms. */
const aheadMs = 40;

/** The same pixels on a canvas. It takes colours that are not premultiplied. */
function canvasOf({ rgba, width, height }: PixelPatch): DrawingCanvas {
  const canvas = createCanvas(width, height);
  const plain = new Uint8ClampedArray(rgba);
  for (let i = 0; i < plain.length; i += 4) {
    const alpha = plain[i + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = i; c < i + 3; c++) plain[c] = ((plain[c] ?? 0) * 255) / alpha;
  }
  canvas.getContext("2d").putImageData(new ImageData(plain, width, height), 0, 0);
  return canvas;
}

/** A session's picture of a photo character. `release` is called once. */
export function photoPicture(artist: PhotoArtist, release: () => void): CharacterPicture {
  const picture = artist.picture();
  return {
    aheadMs,
    get isAwaited() {
      return picture.isAwaited;
    },
    paint(params) {
      const patch = picture.draw(params);
      return patch && { canvas: canvasOf(patch), box: patch.box };
    },
    draw: (params) => picture.draw(params),
    release() {
      picture.release();
      release();
    },
  };
}
