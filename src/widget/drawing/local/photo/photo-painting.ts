import { createPhotoFace, type PhotoFace } from "../../../../photo/index.ts";
import type { PhotoCharacter } from "../../../../protocol/photo-character.ts";
import type { PuppetParams } from "../../../../puppet/index.ts";
import type { Painting } from "../look.ts";
import type { PhotoLayers } from "./photo-layers.ts";
import type { PhotoPictures } from "./photo-pictures.ts";
import { RasteredPictures } from "./rastered-pictures.ts";
import { WebglPictures } from "./webgl-pictures.ts";

/** A GPU that fails more often is not asked again. */
const mostLosses = 2;

/** The present picture of a photo character: drawn by the GPU, else by the processor. */
export class PhotoPainting implements Painting {
  readonly #photo: PhotoFace;
  readonly #layers: PhotoLayers;
  readonly #handleCanvas: () => void;
  readonly #webgl: WebglPictures | null;
  /** In place of the GPU, while that cannot draw. */
  #rastered: RasteredPictures | null = null;
  #size: number;
  #losses = 0;
  #params: PuppetParams = {};

  constructor(character: PhotoCharacter, layers: PhotoLayers, size: number, handleCanvas: () => void) {
    this.#photo = createPhotoFace(character);
    this.#layers = layers;
    this.#handleCanvas = handleCanvas;
    this.#size = size;
    this.#webgl = WebglPictures.create(this.#photo, layers, size, {
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
    this.#photo.pose(params);
    this.#pictures.draw();
  }

  resize(size: number): void {
    this.#size = size;
    this.#pictures.resize(size);
    this.#pictures.draw();
  }

  destroy(): void {
    this.#webgl?.destroy();
    this.#rastered?.destroy();
  }

  get #pictures(): PhotoPictures {
    return this.#rastered ?? this.#webgl ?? this.#raster();
  }

  #raster(): RasteredPictures {
    return (this.#rastered ??= new RasteredPictures(this.#photo, this.#layers, this.#size));
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
