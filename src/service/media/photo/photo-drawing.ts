import { createCanvas, loadImage } from "@napi-rs/canvas";
import { createPhotoFace, layerPixels, type Pixels, Rasteriser } from "../../../photo/index.ts";
import {
  type PhotoCharacter,
  type PhotoLayer,
  photoLayers,
} from "../../../protocol/characters/photo-character.ts";
import type { PixelBox, PuppetParams } from "../../../puppet/index.ts";

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

/** Boxes begin and end at multiples of this many pixels, as the packed frame needs it. */
const step = 8;

/** The box around all pixels that differ; null if none does. Both pictures are square. */
export function changedBox(before: Uint32Array, now: Uint32Array, size: number): PixelBox | null {
  let [left, right, top, bottom] = [size, -1, -1, -1];
  for (let y = 0; y < size; y++) {
    const [from, to] = [y * size, (y + 1) * size];
    let first = from;
    while (first < to && before[first] === now[first]) first++;
    if (first === to) continue;
    let last = to - 1;
    while (before[last] === now[last]) last--;
    if (top < 0) top = y;
    bottom = y;
    left = Math.min(left, first - from);
    right = Math.max(right, last - from);
  }
  if (top < 0) return null;
  const down = (value: number): number => step * Math.floor(value / step);
  const up = (value: number): number => Math.min(size, step * Math.ceil((value + 1) / step));
  const [x, y] = [down(left), down(top)];
  return { x, y, width: up(right) - x, height: up(bottom) - y };
}
