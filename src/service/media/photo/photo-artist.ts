import { Worker } from "node:worker_threads";
import type { PuppetParams } from "../../../puppet/index.ts";
import type { PixelPatch } from "../pictures/pixel-patch.ts";
import type { PhotoAnswer, PhotoOrder, PhotoRelease, PhotoWorkerData } from "./photo-messages.ts";
import { createCanvas, ImageData } from "@napi-rs/canvas";
import type { CharacterPicture, DrawingCanvas } from "../pictures/drawing.ts";

/** The pictures of one session, drawn in another thread. */
interface ArtistPicture {
  /** Orders a pose. Returns what changed in the last picture that is finished and was not returned yet, if anything. */
  draw(params: PuppetParams): PixelPatch | undefined;
  /** Whether no picture has been finished yet. */
  readonly isAwaited: boolean;
  release(): void;
}

interface Seat {
  /** The order that is being drawn; a newer one waits in its place. */
  isBusy: boolean;
  next: PuppetParams | undefined;
  finished: PixelPatch | undefined;
  isAwaited: boolean;
  spare: ArrayBuffer[];
}

/** Draws one photo character at one size in a thread of its own. Each session has at most one order there. */
export class PhotoArtist {
  readonly #size: number;
  readonly #worker: Worker;
  readonly #seats = new Map<number, Seat>();
  #last = 0;

  /** `handleFault`: the thread has failed, and draws nothing any more. */
  constructor(workerUrl: URL, data: PhotoWorkerData, handleFault: (detail: string) => void) {
    this.#size = data.size;
    this.#worker = new Worker(workerUrl, { workerData: data });
    this.#worker.on("message", (message: PhotoAnswer) => {
      if ("fault" in message) handleFault(message.fault);
      else this.#take(message);
    });
    this.#worker.on("error", (error) => handleFault(error.message));
  }

  /** A place for one session's pictures. */
  picture(): ArtistPicture {
    const id = ++this.#last;
    const bytes = 4 * this.#size * this.#size;
    const seat: Seat = {
      ...{ isBusy: false, next: undefined, finished: undefined, isAwaited: true },
      spare: [new ArrayBuffer(bytes), new ArrayBuffer(bytes)],
    };
    this.#seats.set(id, seat);
    return {
      draw: (params) => {
        const { finished } = seat;
        seat.finished = undefined;
        seat.next = params;
        this.#order(id, seat);
        return finished;
      },
      get isAwaited() {
        return seat.isAwaited;
      },
      release: () => {
        this.#seats.delete(id);
        this.#post({ released: id });
      },
    };
  }

  /** Ends the thread. */
  close(): void {
    void this.#worker.terminate();
  }

  #order(picture: number, seat: Seat): void {
    const { next: params } = seat;
    if (seat.isBusy || !params) return;
    const buffer = seat.spare.pop() ?? new ArrayBuffer(4 * this.#size * this.#size);
    seat.next = undefined;
    seat.isBusy = true;
    this.#post({ picture, params, buffer }, [buffer]);
  }

  #post(message: PhotoOrder | PhotoRelease, moved: ArrayBuffer[] = []): void {
    this.#worker.postMessage(message, moved);
  }

  #take({ picture, buffer, box }: Exclude<PhotoAnswer, { fault: string }>): void {
    const seat = this.#seats.get(picture);
    if (!seat) return;
    seat.isBusy = false;
    seat.isAwaited = false;
    const missed = seat.finished?.box;
    if (box) {
      const joined = missed ? joinedBox(missed, box) : box;
      seat.finished = cutBox(new Uint8Array(buffer), this.#size, joined);
    }
    // What was cut out is a copy.
    seat.spare.push(buffer);
    this.#order(picture, seat);
  }
}

type Box = PixelPatch["box"];

function joinedBox(a: Box, b: Box): Box {
  const [x, y] = [Math.min(a.x, b.x), Math.min(a.y, b.y)];
  return {
    ...{ x, y },
    width: Math.max(a.x + a.width, b.x + b.width) - x,
    height: Math.max(a.y + a.height, b.y + b.height) - y,
  };
}

/** A part of a whole picture as a patch. */
function cutBox(rgba: Uint8Array, size: number, box: Box): PixelPatch {
  const { x, y, width, height } = box;
  const part = new Uint8Array(4 * width * height);
  for (let row = 0; row < height; row++) {
    const from = 4 * ((y + row) * size + x);
    part.set(rgba.subarray(from, from + 4 * width), 4 * width * row);
  }
  return { rgba: part, width, height, box };
}

/** A picture is finished one video frame after its pose was ordered, so poses are ordered that much ahead, in ms. */
const aheadMs = 40;

/** The same pixels on a canvas. It takes colours that are not premultiplied. */
function canvasOf({ rgba, width, height }: PixelPatch): DrawingCanvas {
  const canvas = createCanvas(width, height);
  const plain = new Uint8ClampedArray(rgba);
  for (let i = 0; i < plain.length; i += 4) {
    const alpha = plain[i + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let c = i; c < i + 3; c++) plain[c] = ((plain[c] ?? 0) * 255) / alpha;
  }
  canvas.getContext("2d").putImageData(new ImageData(plain, width, height), 0, 0);
  return canvas;
}

/** A session's picture of a photo character. `release` is called once. */
export function photoPicture(artist: PhotoArtist, release: () => void): CharacterPicture {
  const picture = artist.picture();
  return {
    aheadMs,
    get isAwaited() {
      return picture.isAwaited;
    },
    paint(params) {
      const patch = picture.draw(params);
      return patch && { canvas: canvasOf(patch), box: patch.box };
    },
    draw: (params) => picture.draw(params),
    release() {
      picture.release();
      release();
    },
  };
}
