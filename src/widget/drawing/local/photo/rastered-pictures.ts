import { layerPixels, Rasteriser, type PhotoFace, type Pixels } from "../../../../photo/index.ts";
import type { PhotoLayer } from "../../../../protocol/photo-character.ts";
import { pixelsOf, type PhotoLayers } from "./photo-layers.ts";
import type { PhotoPictures } from "./photo-pictures.ts";

/** The largest picture: the processor draws it. */
const mostPx = 384;

/** Pictures of a photo character that the processor draws, where there is no WebGL2 or only one that the processor would run. */
export class RasteredPictures implements PhotoPictures {
  readonly canvas = document.createElement("canvas");
  readonly #context = this.canvas.getContext("2d");
  readonly #photo: PhotoFace;
  readonly #layers: ReadonlyMap<PhotoLayer, Pixels>;
  /** Pixels of the character's picture. */
  readonly #side: number;
  #image = new ImageData(1, 1);

  constructor(photo: PhotoFace, layers: PhotoLayers, size: number) {
    this.#photo = photo;
    this.#side = photo.face.size;
    this.#layers = new Map(
      [...layers].map(([layer, bitmap]) => [layer, layerPixels(layer, pixelsOf(bitmap))]),
    );
    this.resize(size);
  }

  draw(): void {
    const { data, width, height } = this.#image;
    const words = new Uint32Array(data.buffer);
    words.fill(0);
    const rasteriser = new Rasteriser({ width, height, words }, width / this.#side);
    for (const mesh of this.#photo.meshes) {
      const layer = this.#layers.get(mesh.layer);
      if (layer && !mesh.isHidden) rasteriser.draw(mesh, layer);
    }
    divideByAlpha(data);
    this.#context?.putImageData(this.#image, 0, 0);
  }

  resize(size: number): void {
    const side = Math.min(size, mostPx);
    this.canvas.width = this.canvas.height = side;
    this.#image = new ImageData(side, side);
  }

  destroy(): void {
    this.canvas.width = this.canvas.height = 0;
  }
}

/** Image data has colours that are not premultiplied. */
function divideByAlpha(data: Uint8ClampedArray): void {
  for (let i = 0; i < data.length; i += 4) {
    const alpha = data[i + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = i; c < i + 3; c++) data[c] = ((data[c] ?? 0) * 255) / alpha;
  }
}
