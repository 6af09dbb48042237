/** Draws the meshes of a posed character on a canvas. */
export interface PhotoPictures {
  readonly canvas: HTMLCanvasElement;
  /** Draws the present pose. */
  draw(): void;
  /** `size`: the side of the picture in device pixels. A smaller one may be drawn. The canvas is empty until the next picture. */
  resize(size: number): void;
  destroy(): void;
}
