import { type PhotoFace, type Pixels, Rasteriser } from "../../../../photo/index.ts";
import type { PhotoLayer } from "../../../../protocol/characters/photo-character.ts";
import type { PhotoLayers, PhotoPictures } from "./photo-layers.ts";
import type { PuppetParams } from "../../../../puppet/index.ts";
import type { Painting } from "../look.ts";
import { WebglPictures } from "./webgl-pictures.ts";

/** What the paintings of a character share. */
export interface PhotoSource {
  /** Each painting poses it before it draws. */
  readonly face: PhotoFace;
  readonly layers: PhotoLayers;
  /** The same for the processor, once it draws. */
  pixels(): ReadonlyMap<PhotoLayer, Pixels>;
}

/** The largest picture: the processor draws it. */
const mostPx = 384;

/** Pictures of a photo character that the processor draws, where there is no WebGL2 or only one that the processor would run. */
class RasteredPictures implements PhotoPictures {
  readonly canvas = document.createElement("canvas");
  readonly #context = this.canvas.getContext("2d");
  readonly #photo: PhotoFace;
  readonly #layers: ReadonlyMap<PhotoLayer, Pixels>;
  /** Pixels of the character's picture. */
  readonly #side: number;
  #image = new ImageData(1, 1);

  constructor({ face, pixels }: PhotoSource, size: number) {
    this.#photo = face;
    this.#side = face.face.size;
    this.#layers = pixels();
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

/** A GPU that fails more often is not asked again. */
const mostLosses = 2;

/** The present picture of a photo character: drawn by the GPU, else by the processor. */
export class PhotoPainting implements Painting {
  readonly #source: PhotoSource;
  readonly #handleCanvas: () => void;
  readonly #webgl: WebglPictures | null;
  /** In place of the GPU, while that cannot draw. */
  #rastered: RasteredPictures | null = null;
  #size: number;
  #losses = 0;
  #params: PuppetParams = {};

  constructor(source: PhotoSource, size: number, handleCanvas: () => void) {
    this.#source = source;
    this.#handleCanvas = handleCanvas;
    this.#size = size;
    this.#webgl = WebglPictures.create(source.face, source.layers, size, {
      handleLost: () => this.#handleLost(),
      handleRestored: () => this.#handleRestored(),
    });
    this.draw({});
  }

  get canvas(): HTMLCanvasElement {
    return this.#pictures.canvas;
  }

  draw(params: PuppetParams): void {
    this.#params = params;
    this.#source.face.pose(params);
    this.#pictures.draw();
  }

  resize(size: number): void {
    this.#size = size;
    this.#pictures.resize(size);
    this.draw(this.#params);
  }

  destroy(): void {
    this.#webgl?.destroy();
    this.#rastered?.destroy();
  }

  get #pictures(): PhotoPictures {
    return this.#rastered ?? this.#webgl ?? this.#raster();
  }

  #raster(): RasteredPictures {
    return (this.#rastered ??= new RasteredPictures(this.#source, this.#size));
  }

  /** The face does not go away: the processor draws it until the GPU can. */
  #handleLost(): void {
    this.#losses++;
    this.#raster();
    this.draw(this.#params);
    this.#handleCanvas();
  }

  #handleRestored(): void {
    if (this.#losses > mostLosses) return;
    this.#webgl?.resize(this.#size);
    this.#rastered?.destroy();
    this.#rastered = null;
    this.draw(this.#params);
    this.#handleCanvas();
  }
}
