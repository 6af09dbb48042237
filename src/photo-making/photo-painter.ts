import { photoLayers, type PhotoCharacter, type PhotoLayer } from "../protocol/photo-character.ts";
import { createPhotoFace, layerPixels, Rasteriser, type Pixels } from "../photo/index.ts";
import type { PuppetParams } from "../puppet/index.ts";

/** Draws a pose of a character, `side` pixels square. */
export type PhotoPainter = (params: PuppetParams, side: number) => ImageData;

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

async function pixelsOf(address: string): Promise<Pixels> {
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
export async function createPhotoPainter(character: PhotoCharacter): Promise<PhotoPainter> {
  const layers = new Map<PhotoLayer, Pixels>();
  for (const layer of photoLayers) {
    const address = character.pictures[layer];
    if (address !== undefined) layers.set(layer, layerPixels(layer, await pixelsOf(address)));
  }
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
