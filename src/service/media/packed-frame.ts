import type { PixelBox } from "../../puppet/index.ts";
import { wrtc, type VideoFrame } from "./wrtc.ts";

/** Alpha 0…255 as video luma, which runs 16…235. */
const lumaOfAlpha = Uint8Array.from({ length: 256 }, (_, alpha) => Math.round(16 + (alpha * 219) / 255));

const blackLuma = 16;
const neutralChroma = 128;

/**
 * One video frame with transparency ("packed alpha", product contract, The stage): the colours on black above, the matte
 * below, as grey. `size` (even) by twice `size` pixels, at first empty. Its buffer is used again for every picture.
 */
export class PackedFrame {
  readonly video: VideoFrame;
  readonly #size: number;
  readonly #colour: Uint8ClampedArray;

  constructor(size: number) {
    const pixels = size * size;
    this.#size = size;
    this.#colour = new Uint8ClampedArray(pixels * 1.5);
    const data = new Uint8Array(pixels * 3).fill(blackLuma, 0, pixels * 2).fill(neutralChroma, pixels * 2);
    this.video = { width: size, height: size * 2, data };
  }

  /**
   * Packs a whole picture of premultiplied RGBA, of which only `changed` differs from the one before: premultiplied is
   * what lies on black. The picture must have an ArrayBuffer of its own, of little-endian words, as on every machine
   * that the WebRTC library is built for.
   */
  pack(rgba: Uint8Array, changed: PixelBox): void {
    this.#packColour(rgba, changed);
    this.#packMatte(rgba, changed);
  }

  /** The library converts whole buffers only, at little cost; rows that did not change are not copied further. */
  #packColour(rgba: Uint8Array, { y, height }: PixelBox): void {
    const size = this.#size;
    const pixels = size * size;
    const picture = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
    wrtc.nonstandard.rgbaToI420(
      { width: size, height: size, data: picture },
      { width: size, height: size, data: this.#colour },
    );
    // Two rows share a row of chroma.
    const start = (y & ~1) * size;
    const end = ((y + height + 1) & ~1) * size;
    const { data } = this.video;
    data.set(this.#colour.subarray(start, end), start);
    for (const plane of [1, 1.25]) {
      const from = pixels * plane + start / 4;
      data.set(this.#colour.subarray(from, from + (end - start) / 4), pixels * 2 * plane + start / 4);
    }
  }

  #packMatte(rgba: Uint8Array, { x, y, width, height }: PixelBox): void {
    const size = this.#size;
    const pixels = size * size;
    const matte = this.video.data.subarray(pixels, pixels * 2);
    const words = new Uint32Array(rgba.buffer, rgba.byteOffset, pixels);
    for (let row = y; row < y + height; row++) {
      const end = row * size + x + width;
      for (let index = row * size + x; index < end; index++) {
        matte[index] = lumaOfAlpha[words[index]! >>> 24]!;
      }
    }
  }
}
