import { wrtc, type VideoFrame } from "./wrtc.ts";

/** Alpha 0…255 as video luma, which runs 16…235. */
const lumaOfAlpha = Uint8Array.from({ length: 256 }, (_, alpha) => Math.round(16 + (alpha * 219) / 255));

const neutralChroma = 128;

/**
 * One video frame with transparency ("packed alpha", product contract, The stage): the colours on black above, the matte
 * below, as grey. `size` by twice `size` pixels. Its buffer is used again for every picture.
 */
export class PackedFrame {
  readonly video: VideoFrame;
  readonly #size: number;
  readonly #colour: Uint8ClampedArray;

  constructor(size: number) {
    const pixels = size * size;
    this.#size = size;
    this.#colour = new Uint8ClampedArray(pixels * 1.5);
    this.video = { width: size, height: size * 2, data: new Uint8Array(pixels * 3).fill(neutralChroma) };
  }

  /**
   * Packs a picture of premultiplied RGBA: premultiplied is what lies on black. Its bytes are also read as little-endian
   * words, as on every machine that the WebRTC library is built for, so their offset must be a multiple of 4.
   */
  pack(rgba: Uint8Array): void {
    const size = this.#size;
    const pixels = size * size;
    const picture = new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.byteLength);
    wrtc.nonstandard.rgbaToI420(
      { width: size, height: size, data: picture },
      { width: size, height: size, data: this.#colour },
    );
    const { data } = this.video;
    const chroma = pixels / 4;
    data.set(this.#colour.subarray(0, pixels), 0);
    data.set(this.#colour.subarray(pixels, pixels + chroma), pixels * 2);
    data.set(this.#colour.subarray(pixels + chroma), pixels * 2 + chroma * 2);
    const matte = data.subarray(pixels, pixels * 2);
    const words = new Uint32Array(rgba.buffer, rgba.byteOffset, pixels);
    for (let index = 0; index < pixels; index++) matte[index] = lumaOfAlpha[words[index]! >>> 24]!;
  }
}
