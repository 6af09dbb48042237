import { type PixelPatch, toI420 } from "./pixel-patch.ts";
import type { VideoFrame } from "../wrtc.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import type { Drawing } from "./drawing.ts";
import { HeldPose } from "./held-pose.ts";
import type { PlanePicture } from "../planes/plane-pictures.ts";

/** Alpha 0…255 as video luma, which ranges from 16 to 235. */
const lumaOfAlpha = Uint8Array.from({ length: 256 }, (_, alpha) => Math.round(16 + (alpha * 219) / 255));

const blackLuma = 16;
const neutralChroma = 128;

/** Four pixels of the matte in one word: fully transparent, and fully opaque. */
const clearWord = blackLuma * 0x01010101;
const opaqueWord = (lumaOfAlpha[255]! * 0x01010101) >>> 0;

/**
 * One video frame with transparency ("packed alpha", product contract, The stage): the colours on black in the upper half, the
 * matte as grey in the lower half. It has `size` by twice `size` pixels and is empty at first. Every picture reuses its buffer.
 * All sizes and positions must be multiples of 8. The code assumes little-endian order, as on all platforms of the WebRTC
 * library.
 */
export class PackedFrame {
  readonly video: VideoFrame;
  readonly #size: number;
  readonly #words: Uint32Array;

  constructor(size: number) {
    const pixels = size * size;
    this.#size = size;
    const data = new Uint8Array(pixels * 3).fill(blackLuma, 0, pixels * 2).fill(neutralChroma, pixels * 2);
    this.#words = new Uint32Array(data.buffer);
    this.video = { width: size, height: size * 2, data };
  }

  /**
   * Packs what changed since the last picture. Premultiplied colours are already colours on black. The pixels must own their
   * ArrayBuffer.
   */
  pack(patch: PixelPatch): void {
    this.#packColour(patch, new Uint32Array(toI420(patch).buffer));
    this.#packMatte(patch);
  }

  #packColour({ width, height, box }: PixelPatch, colour: Uint32Array): void {
    const size = this.#size;
    this.#copy(colour, 0, width, box.y * size + box.x, size, box);
    const half = { width: box.width / 2, height: box.height / 2 };
    const place = (box.y * size) / 4 + box.x / 2;
    for (const plane of [0, 1]) {
      const from = width * height * (1 + plane / 4);
      const to = size * size * (2 + plane / 2) + place;
      this.#copy(colour, from, width / 2, to, size / 2, half);
    }
  }

  /** Copies rows from one plane to another; positions and row lengths in pixels. */
  #copy(
    source: Uint32Array,
    from: number,
    fromRow: number,
    to: number,
    toRow: number,
    { width, height }: { width: number; height: number },
  ): void {
    const target = this.#words;
    const count = width / 4;
    for (let row = 0; row < height; row++) {
      const start = (from + row * fromRow) / 4;
      const place = (to + row * toRow) / 4;
      for (let index = 0; index < count; index++) target[place + index] = source[start + index]!;
    }
  }

  #packMatte({ rgba, width, box }: PixelPatch): void {
    const size = this.#size;
    const matte = this.#words;
    const pixels = new Uint32Array(rgba.buffer, rgba.byteOffset, rgba.byteLength / 4);
    for (let row = 0; row < box.height; row++) {
      const end = row * width + box.width;
      let place = ((size + box.y + row) * size + box.x) / 4;
      for (let from = row * width; from < end; from += 4) {
        matte[place++] = matteWord(pixels[from]!, pixels[from + 1]!, pixels[from + 2]!, pixels[from + 3]!);
      }
    }
  }
}

function matteWord(a: number, b: number, c: number, d: number): number {
  if ((a & b & c & d) >>> 24 === 255) return opaqueWord;
  if ((a | b | c | d) >>> 24 === 0) return clearWord;
  return (
    lumaOfAlpha[a >>> 24]! |
    (lumaOfAlpha[b >>> 24]! << 8) |
    (lumaOfAlpha[c >>> 24]! << 16) |
    (lumaOfAlpha[d >>> 24]! << 24)
  );
}

/** Draws frames with packed alpha, `size` pixels wide. Throws MediaError `invalid_character`. */
export function packedDrawing(pictures: CharacterPictures, characterFile: string, size: number): Drawing {
  const hold = new HeldPose(pictures.character(characterFile), size);
  const composed = pictures.takePacked(characterFile, size);
  return composed ? composedDrawing(composed, hold) : convertedDrawing(pictures, characterFile, size, hold);
}

/** The frames are composed of planes. */
function composedDrawing(picture: PlanePicture, hold: HeldPose): Drawing {
  let isStill = false;
  return {
    aheadMs: 0,
    get isStill() {
      return isStill;
    },
    draw(params) {
      isStill = !picture.draw(hold.hold(params));
      return picture.video;
    },
    release: () => picture.release(),
  };
}

/** What changes in the picture is converted for each frame. */
function convertedDrawing(
  pictures: CharacterPictures,
  characterFile: string,
  size: number,
  hold: HeldPose,
): Drawing {
  const picture = pictures.take(characterFile, size);
  const frame = new PackedFrame(size);
  let isStill = false;
  return {
    aheadMs: picture.aheadMs,
    get isStill() {
      return isStill;
    },
    draw(params) {
      const patch = picture.draw(hold.hold(params));
      isStill = patch === undefined;
      if (patch) frame.pack(patch);
      return picture.isAwaited ? undefined : frame.video;
    },
    release: () => picture.release(),
  };
}
