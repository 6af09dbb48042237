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

/** A canvas of this process. */
export type DrawingCanvas = Canvas & CanvasLike;

/** Draws one character at one size for one session; what can be shared with others is. */
export interface CharacterPicture {
  /** Draws a frame. Returns what it changed, if anything, on a canvas that the next frame of any picture may draw on. */
  paint(params: PuppetParams): PicturePatch<DrawingCanvas> | undefined;
  /** Draws a frame. Returns what it changed, if anything; a copy. */
  draw(params: PuppetParams): PixelPatch | undefined;
  /** To be called once, when it is no longer needed: its kept layers are several megabytes. */
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

/** Reads a patch back. */
export function pixelsOf({ canvas, box }: PicturePatch<DrawingCanvas>): PixelPatch {
  return { rgba: canvas.data(), width: canvas.width, height: canvas.height, box };
}

/** Renderers that are kept although nobody uses them: making one costs a visitor about 40 ms. */
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

  /** Whether a picture of this size costs next to nothing, because another was taken. */
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

  /** Draws once, so that the next picture of this size finds its layers ready. Throws MediaError `invalid_character`. */
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
