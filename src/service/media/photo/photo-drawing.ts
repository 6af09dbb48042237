import { createCanvas, loadImage } from "@napi-rs/canvas";
import { createPhotoFace, layerPixels, Rasteriser, type Pixels } from "../../../photo/index.ts";
import { photoLayers, type PhotoCharacter, type PhotoLayer } from "../../../protocol/photo-character.ts";
import type { PuppetParams } from "../../../puppet/index.ts";

/** The pixels of a layer. */
async function pixelsOf(address: string): Promise<Pixels> {
  const image = await loadImage(Buffer.from(address.slice(address.indexOf(",") + 1), "base64"));
  const { width, height } = image;
  const canvas = createCanvas(width, height);
  canvas.getContext("2d").drawImage(image, 0, 0);
  // These are premultiplied. The copy has its own buffer, at an address that words can begin at.
  const bytes = Uint8Array.from(canvas.data());
  return { width, height, words: new Uint32Array(bytes.buffer) };
}

/** Draws poses of one photo character at one size. */
export class PhotoDrawing {
  readonly size: number;
  readonly #photo: ReturnType<typeof createPhotoFace>;
  readonly #layers: ReadonlyMap<PhotoLayer, Pixels>;
  readonly #scale: number;

  private constructor(character: PhotoCharacter, layers: ReadonlyMap<PhotoLayer, Pixels>, size: number) {
    this.size = size;
    this.#photo = createPhotoFace(character);
    this.#layers = layers;
    this.#scale = size / character.size;
  }

  /** Decodes the layers of a character that was checked before. */
  static async load(character: PhotoCharacter, size: number): Promise<PhotoDrawing> {
    const layers = new Map<PhotoLayer, Pixels>();
    for (const layer of photoLayers) {
      const address = character.pictures[layer];
      if (address !== undefined) layers.set(layer, layerPixels(layer, await pixelsOf(address)));
    }
    return new PhotoDrawing(character, layers, size);
  }

  /** Draws a pose into pixels of its size. */
  draw(params: PuppetParams, words: Uint32Array): void {
    words.fill(0);
    const rasteriser = new Rasteriser({ width: this.size, height: this.size, words }, this.#scale);
    this.#photo.pose(params);
    for (const mesh of this.#photo.meshes) {
      const texture = this.#layers.get(mesh.layer);
      if (texture && !mesh.isHidden) rasteriser.draw(mesh, texture);
    }
  }
}
