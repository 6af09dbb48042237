import type { MovingCharacter, PuppetParams } from "../../../puppet/index.ts";

/** How an avatar looks: what its pictures are drawn from. */
export interface Look {
  /** What the behaviour knows of it. */
  readonly motion: MovingCharacter;
  /** Paints it at rest. `size`: the side of its square picture in device pixels. `handleCanvas`: the painting has another canvas now. */
  paint(size: number, handleCanvas: () => void): Painting;
}

/** The present picture of an avatar. */
export interface Painting {
  /** Shows it. It may be another one after a change of the size. */
  readonly canvas: HTMLCanvasElement;
  draw(params: PuppetParams): void;
  /** The last pose in another size. */
  resize(size: number): void;
  destroy(): void;
}
