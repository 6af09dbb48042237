import { createPhotoFace } from "../photo/index.ts";
import type { PhotoCharacter } from "../protocol/photo-character.ts";
import type { PhotoPainter } from "./photo-painter.ts";

/** Still pictures of a character. */
export interface Stills {
  /** The whole picture. */
  readonly poster: Blob;
  /** The face, for the launcher. */
  readonly porthole: Blob;
}

const posterPx = 512;
const portholePx = 160;
/** The largest poster and porthole in bytes: the porthole is part of the launcher's record, with some metadata of the service. */
const mostBytes = { poster: 60 * 1_024, porthole: 4.5 * 1_024 };
/** The side of the porthole's part in millimetres of the face, and the share of it that is above the eyes. */
const portholeMm = 178;
const eyesShare = 0.42;

/** A part of a picture as WebP, in the best quality that fits. */
async function webp(
  image: ImageData,
  [x, y, side]: readonly [number, number, number],
  toSide: number,
  most: number,
): Promise<Blob> {
  const whole = new OffscreenCanvas(image.width, image.height);
  whole.getContext("2d")?.putImageData(image, 0, 0);
  const canvas = new OffscreenCanvas(toSide, toSide);
  const context = canvas.getContext("2d");
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.imageSmoothingQuality = "high";
  context.drawImage(whole, x, y, side, side, 0, 0, toSide, toSide);
  let blob = await canvas.convertToBlob({ type: "image/webp", quality: 0.9 });
  for (let quality = 0.8; blob.size > most && quality > 0.2; quality -= 0.1)
    blob = await canvas.convertToBlob({ type: "image/webp", quality });
  return blob;
}

/** Makes the still pictures of a character. */
export async function makeStills(character: PhotoCharacter, paint: PhotoPainter): Promise<Stills> {
  const side = 2 * posterPx;
  const image = paint({}, side);
  const { face } = createPhotoFace(character);
  const scale = side / character.size;
  const [x, y] = face.toPicture(0, (face.eyes[0].lower[4]![1] + face.eyes[1].lower[4]![1]) / 2);
  const part = Math.min(side, portholeMm * face.pxPerMm * scale);
  const left = Math.min(side - part, Math.max(0, x * scale - part / 2));
  const top = Math.min(side - part, Math.max(0, y * scale - part * eyesShare));
  return {
    poster: await webp(image, [0, 0, side], posterPx, mostBytes.poster),
    porthole: await webp(image, [left, top, part], portholePx, mostBytes.porthole),
  };
}
