import { readFileSync } from "node:fs";
import { createCanvas, Path2D, type Canvas } from "@napi-rs/canvas";
import {
  createPatchRenderer,
  parseCharacter,
  type CanvasLike,
  type Character,
  type PatchRenderer,
  type PicturePatch,
  type PuppetEnvironment,
  type PuppetParams,
} from "../../puppet/index.ts";
import { MediaError } from "./media-error.ts";
import type { PixelPatch } from "./pixel-patch.ts";

/** A canvas of @napi-rs/canvas. */
export type DrawingCanvas = Canvas & CanvasLike;

/** Draws one character at one size for one session. It shares layers and buffers with other sessions. */
export interface CharacterPicture {
  /** Draws a frame. Returns what changed, if anything, on a canvas that the next frame of any picture may reuse. */
  paint(params: PuppetParams): PicturePatch<DrawingCanvas> | undefined;
  /** Draws a frame. Returns a copy of what changed, if anything. */
  draw(params: PuppetParams): PixelPatch | undefined;
  /** Call it once when the picture is no longer needed: its cached layers take several megabytes. */
  release(): void;
}

interface Shelf {
  renderer: PatchRenderer<DrawingCanvas>;
  users: number;
}

const environment: PuppetEnvironment<DrawingCanvas> = {
  Path2D,
  createCanvas: (width, height) => createCanvas(width, height),
};

/** Reads the pixels of a patch. */
export function pixelsOf({ canvas, box }: PicturePatch<DrawingCanvas>): PixelPatch {
  return { rgba: canvas.data(), width: canvas.width, height: canvas.height, box };
}

/** How many unused renderers are kept, because a new one delays a visitor by about 40 ms. */
const keptUnused = 4;

/** Loads characters once and shares their renderers between sessions. */
export class CharacterPictures {
  readonly #characters = new Map<string, Character>();
  readonly #shelves = new Map<string, Shelf>();

  /** The character of a file (absolute path). Throws MediaError `invalid_character`. */
  character(file: string): Character {
    const known = this.#characters.get(file);
    if (known) return known;
    try {
      const character = parseCharacter(JSON.parse(readFileSync(file, "utf8")));
      this.#characters.set(file, character);
      return character;
    } catch (error) {
      throw MediaError.invalidCharacter(file, error);
    }
  }

  /** Whether a picture of this size is cheap, because its renderer exists already. */
  isReady(file: string, size: number): boolean {
    return this.#shelves.has(`${size} ${file}`);
  }

  /** A picture of the character, `size` pixels square. Throws MediaError `invalid_character`. */
  take(file: string, size: number): CharacterPicture {
    const key = `${size} ${file}`;
    let shelf = this.#shelves.get(key);
    if (!shelf) {
      shelf = { renderer: createPatchRenderer(this.character(file), environment, { size }), users: 0 };
      this.#shelves.set(key, shelf);
    }
    const taken = shelf;
    taken.users++;
    const renderer = taken.renderer.sibling();
    return {
      paint: (params) => renderer.draw(params),
      draw: (params) => {
        const patch = renderer.draw(params);
        return patch && pixelsOf(patch);
      },
      release: () => {
        taken.users--;
        this.#tidy();
      },
    };
  }

  /** Draws once, so that the layers are ready for the next picture of this size. Throws MediaError `invalid_character`. */
  warm(file: string, size: number): void {
    const picture = this.take(file, size);
    picture.paint({});
    picture.release();
  }

  #tidy(): void {
    const unused = [...this.#shelves].filter(([, { users }]) => users === 0);
    for (const [key] of unused.slice(0, -keptUnused)) this.#shelves.delete(key);
  }
}
