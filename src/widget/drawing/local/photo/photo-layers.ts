import type { Pixels } from "../../../../photo/index.ts";
import {
  type PhotoCharacter,
  type PhotoLayer,
  photoLayers,
} from "../../../../protocol/characters/photo-character.ts";

/** The decoded pictures of a character, with premultiplied colours. */
export type PhotoLayers = ReadonlyMap<PhotoLayer, ImageBitmap>;

/** Decodes the pictures of a character that was checked before. */
export async function decodeLayers({ pictures }: PhotoCharacter): Promise<PhotoLayers> {
  const layers = new Map<PhotoLayer, ImageBitmap>();
  await Promise.all(
    photoLayers.map(async (layer) => {
      const address = pictures[layer];
      if (address) layers.set(layer, await decode(address));
    }),
  );
  return layers;
}

/** Not by `fetch`: a page's policy may allow no connection to data: addresses. */
function decode(address: string): Promise<ImageBitmap> {
  const [head = "", base64 = ""] = address.split(",");
  const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  const type = /image\/\w+/.exec(head)?.[0] ?? "";
  return createImageBitmap(new Blob([bytes], { type }), { premultiplyAlpha: "premultiply" });
}

/** The pixels of a layer. */
export function pixelsOf(bitmap: ImageBitmap): Pixels {
  const { width, height } = bitmap;
  const canvas = Object.assign(document.createElement("canvas"), { width, height });
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) throw new Error("This browser has no 2D canvas.");
  context.drawImage(bitmap, 0, 0);
  const { data } = context.getImageData(0, 0, width, height);
  const words = new Uint32Array(data.buffer);
  for (let i = 0; i < words.length; i++) {
    const alpha = (words[i] ?? 0) >>> 24;
    if (alpha === 0) words[i] = 0;
    else if (alpha < 255) for (let c = 4 * i; c < 4 * i + 3; c++) data[c] = ((data[c] ?? 0) * alpha) / 255;
  }
  return { width, height, words };
}

/** Draws the meshes of a posed character on a canvas. */
export interface PhotoPictures {
  readonly canvas: HTMLCanvasElement;
  /** Draws the present pose. */
  draw(): void;
  /** `size`: the side of the picture in device pixels. A smaller one may be drawn. The canvas is empty until the next picture. */
  resize(size: number): void;
  destroy(): void;
}
