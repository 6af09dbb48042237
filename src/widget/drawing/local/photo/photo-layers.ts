import type { Pixels } from "../../../../photo/index.ts";
import { photoLayers, type PhotoCharacter, type PhotoLayer } from "../../../../protocol/photo-character.ts";

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
  for (let i = 0; i < data.length; i += 4) {
    const share = (data[i + 3] ?? 0) / 255;
    if (share < 1) for (let c = i; c < i + 3; c++) data[c] = (data[c] ?? 0) * share;
  }
  return { width, height, words };
}
