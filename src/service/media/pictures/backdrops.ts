import { createCanvas, loadImage, type Image } from "@napi-rs/canvas";
import { imageSize } from "image-size";
import { LRUCache } from "lru-cache";
import type { DrawingCanvas } from "./drawing.ts";
import { toI420 } from "./pixel-patch.ts";
import type { MediaClock } from "../media-clock.ts";
import type { PictureSize } from "./avatar-place.ts";

/** The picture behind an avatar, in the size of the frame. */
export interface Backdrop {
  /** Drawn below the avatar. It must not be drawn on. */
  readonly canvas: DrawingCanvas;
  /** The same as planar 4:2:0. */
  readonly i420: Uint8Array;
}

/** A background image of moderate size, from which every frame size is scaled. */
export type Background = DrawingCanvas;

/** The colour behind an avatar without a background image. */
const plainColour = "#e9e7e2";

/** A larger image would take more memory to decode than all of a process's sessions need. */
const largestImagePixels = 4_096 * 4_096;

/** Cached images are reduced to this many pixels; frames have fewer. */
const keptPixels = 2_000_000;

const keptBackgrounds = 6;
const keptBackdrops = 8;

/** Roughly how many pixels the CPU decodes and scales in a millisecond. */
const pixelsPerMs = 150_000;

/** Decodes background images once and scales them once for each frame size, for all sessions of a process. */
export class Backdrops {
  readonly #clock: MediaClock;
  readonly #loading = new Map<string, Promise<Background>>();
  readonly #backgrounds = new LRUCache<string, Background>({ max: keptBackgrounds });
  readonly #backdrops = new LRUCache<string, Backdrop>({ max: keptBackdrops });

  constructor(clock: MediaClock) {
    this.#clock = clock;
  }

  /** The background of this name, if it has been loaded. */
  loaded(name: string): Background | undefined {
    return this.#backgrounds.get(name);
  }

  /** Decodes the background of this name. Rejects if the bytes are not an image or the image is too large. */
  async load(name: string, bytes: Uint8Array): Promise<Background> {
    const loading = this.#loading.get(name) ?? this.#decode(bytes);
    this.#loading.set(name, loading);
    try {
      const background = await loading;
      this.#backgrounds.set(name, background);
      return background;
    } finally {
      this.#loading.delete(name);
    }
  }

  /** A background in this size. It covers the frame, centred; what is too wide or too high is cut off. */
  backdrop(name: string | null, background: Background | undefined, size: PictureSize): Backdrop {
    const key = `${size.width} ${size.height} ${background ? name : ""}`;
    const known = this.#backdrops.get(key);
    if (known) return known;
    const made = this.#clock.ahead((size.width * size.height) / pixelsPerMs, () => drawn(background, size));
    this.#backdrops.set(key, made);
    return made;
  }

  async #decode(bytes: Uint8Array): Promise<Background> {
    const { width, height } = imageSize(bytes);
    if (width * height > largestImagePixels)
      throw new Error(
        `The image has ${width} × ${height} pixels; at most ${largestImagePixels} are decoded.`,
      );
    const image = await loadImage(bytes);
    return this.#clock.ahead((width * height) / pixelsPerMs, () => reduced(image));
  }
}

function reduced(image: Image): Background {
  const scale = Math.min(1, Math.sqrt(keptPixels / (image.width * image.height)));
  const width = Math.max(1, Math.round(image.width * scale));
  const height = Math.max(1, Math.round(image.height * scale));
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext("2d");
  ctx.imageSmoothingQuality = "high";
  ctx.drawImage(image, 0, 0, width, height);
  return canvas;
}

function drawn(background: Background | undefined, { width, height }: PictureSize): Backdrop {
  const canvas = createCanvas(width, height);
  const ctx = canvas.getContext("2d");
  ctx.fillStyle = plainColour;
  ctx.fillRect(0, 0, width, height);
  if (background) {
    const scale = Math.max(width / background.width, height / background.height);
    const [w, h] = [background.width * scale, background.height * scale];
    ctx.imageSmoothingQuality = "high";
    ctx.drawImage(background, (width - w) / 2, (height - h) / 2, w, h);
  }
  return { canvas, i420: Uint8Array.from(toI420({ rgba: canvas.data(), width, height })) };
}
