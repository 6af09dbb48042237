import { photoLayers, type PhotoCharacter, type PhotoLayer } from "../protocol/photo-character.ts";
import { createPhotoFace, Rasteriser, type Pixels } from "../photo/index.ts";
import type { PuppetParams } from "../puppet/index.ts";

/** Still pictures of a character. */
export interface Stills {
  /** The whole picture. */
  readonly poster: Blob;
  /** The face, for the launcher. */
  readonly porthole: Blob;
}

const posterPx = 512;
const portholePx = 160;
/** The largest poster and porthole in bytes: the porthole is part of the launcher's record. */
const mostBytes = { poster: 60 * 1_024, porthole: 5 * 1_024 };
/** The side of the porthole's part in millimetres of the face, and the share of it that is above the eyes. */
const portholeMm = 178;
const eyesShare = 0.42;

/** The pixels of a picture, with premultiplied colours. */
function premultiplied({ data, width, height }: ImageData): Pixels {
  const words = new Uint32Array(width * height);
  for (let i = 0; i < words.length; i++) {
    const alpha = data[4 * i + 3]!;
    const channel = (c: number): number => Math.round((data[4 * i + c]! * alpha) / 255);
    words[i] = (channel(0) | (channel(1) << 8) | (channel(2) << 16) | (alpha << 24)) >>> 0;
  }
  return { width, height, words };
}

/** The same with colours that are not premultiplied. */
function plain({ width, height, words }: Pixels): ImageData {
  const image = new ImageData(width, height);
  words.forEach((word, i) => {
    const alpha = word >>> 24;
    const channel = (shift: number): number => (alpha === 0 ? 0 : (((word >>> shift) & 255) * 255) / alpha);
    image.data.set([channel(0), channel(8), channel(16), alpha], 4 * i);
  });
  return image;
}

async function layerPixels(address: string): Promise<Pixels> {
  // Decoded here, because a page's policy may allow no connection to data: addresses.
  const text = atob(address.slice(address.indexOf(",") + 1));
  const bytes = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
  const bitmap = await createImageBitmap(new Blob([bytes]));
  const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.drawImage(bitmap, 0, 0);
  return premultiplied(context.getImageData(0, 0, bitmap.width, bitmap.height));
}

/** Draws poses of a character at any size. */
export async function createPhotoPainter(
  character: PhotoCharacter,
): Promise<(params: PuppetParams, side: number) => ImageData> {
  const layers = new Map<PhotoLayer, Pixels>();
  for (const layer of photoLayers) layers.set(layer, await layerPixels(character.pictures[layer]));
  const photo = createPhotoFace(character);
  return (params, side) => {
    const target: Pixels = { width: side, height: side, words: new Uint32Array(side * side) };
    const rasteriser = new Rasteriser(target, side / character.size);
    photo.pose(params);
    for (const mesh of photo.meshes) {
      const texture = layers.get(mesh.layer);
      if (texture && !mesh.isHidden) rasteriser.draw(mesh, texture);
    }
    return plain(target);
  };
}

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
export async function makeStills(character: PhotoCharacter): Promise<Stills> {
  const paint = await createPhotoPainter(character);
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
