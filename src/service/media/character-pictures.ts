import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { photoMotion } from "../../photo/index.ts";
import { photoCharacterSchema } from "../../protocol/photo-character.ts";
import { isPhotoCharacter } from "../../protocol/photo-format.ts";
import {
  createPatchRenderer,
  parseCharacter,
  type Character,
  type MovingCharacter,
  type PatchRenderer,
  type PuppetEnvironment,
} from "../../puppet/index.ts";
import { pixelsOf, type CharacterPicture, type DrawingCanvas } from "./character-picture.ts";
import { MediaError } from "./media-error.ts";
import { PhotoArtist } from "./photo/photo-artist.ts";
import { photoPicture } from "./photo/photo-picture.ts";

/** Where the pictures of one character and size come from. */
interface Shelf {
  newPicture(): CharacterPicture;
  /** It is not used any more. */
  close(): void;
  users: number;
}

const environment: PuppetEnvironment<DrawingCanvas> = {
  Path2D,
  createCanvas: (width, height) => createCanvas(width, height),
};

/** How many unused renderers are kept, because a new one delays a visitor by about 40 ms. */
const keptUnused = 4;

function drawnPicture(renderer: PatchRenderer<DrawingCanvas>, release: () => void): CharacterPicture {
  return {
    aheadMs: 0,
    isAwaited: false,
    paint: (params) => renderer.draw(params),
    draw: (params) => {
      const patch = renderer.draw(params);
      return patch && pixelsOf(patch);
    },
    release,
  };
}

/** A character that was read: drawn, or made from a photograph. */
type Known = { kind: "drawn"; character: Character } | { kind: "photo" };

function readCharacter(file: string): Known {
  try {
    const value: unknown = JSON.parse(readFileSync(file, "utf8"));
    if (!isPhotoCharacter(value)) return { kind: "drawn", character: parseCharacter(value) };
    photoCharacterSchema.parse(value);
    return { kind: "photo" };
  } catch (error) {
    throw MediaError.invalidCharacter(file, error);
  }
}

/** What `CharacterPictures` needs for characters that other threads draw. */
export interface CharacterPicturesOptions {
  /** The built script of these threads. Without it, photo characters cannot be drawn. */
  photoWorkerUrl?: URL | undefined;
  /** Such a thread has failed. */
  onFault?(detail: string): void;
}

/** Loads characters once and shares their renderers between sessions. */
export class CharacterPictures {
  readonly #options: CharacterPicturesOptions;
  readonly #characters = new Map<string, Known>();
  readonly #shelves = new Map<string, Shelf>();

  constructor(options: CharacterPicturesOptions = {}) {
    this.#options = options;
  }

  /** The character of a file (absolute path), as its behaviour sees it. Throws MediaError `invalid_character`. */
  character(file: string): MovingCharacter {
    const known = this.#known(file);
    return known.kind === "photo" ? photoMotion : known.character;
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
      shelf = this.#newShelf(file, size);
      this.#shelves.set(key, shelf);
    }
    shelf.users++;
    return shelf.newPicture();
  }

  /** Draws once, so that the layers are ready for the next picture of this size. Throws MediaError `invalid_character`. */
  warm(file: string, size: number): void {
    const picture = this.take(file, size);
    picture.paint({});
    picture.release();
  }

  #known(file: string): Known {
    const known = this.#characters.get(file) ?? readCharacter(file);
    this.#characters.set(file, known);
    return known;
  }

  #newShelf(file: string, size: number): Shelf {
    const known = this.#known(file);
    const release = (): void => {
      shelf.users--;
      this.#tidy();
    };
    const shelf = {
      users: 0,
      ...(known.kind === "photo"
        ? this.#photos(file, size, release)
        : this.#drawn(known.character, size, release)),
    };
    return shelf;
  }

  #drawn(character: Character, size: number, release: () => void): Omit<Shelf, "users"> {
    const renderer = createPatchRenderer(character, environment, { size });
    return { newPicture: () => drawnPicture(renderer.sibling(), release), close: () => undefined };
  }

  #photos(file: string, size: number, release: () => void): Omit<Shelf, "users"> {
    const { photoWorkerUrl, onFault } = this.#options;
    if (!photoWorkerUrl) throw MediaError.invalidCharacter(file, "Nothing here draws photo characters.");
    const artist = new PhotoArtist(photoWorkerUrl, { file, size }, (detail) => {
      this.#shelves.delete(`${size} ${file}`);
      onFault?.(`A photo character is not drawn any more: ${detail}`);
    });
    return { newPicture: () => photoPicture(artist, release), close: () => artist.close() };
  }

  #tidy(): void {
    const unused = [...this.#shelves].filter(([, { users }]) => users === 0);
    for (const [key, shelf] of unused.slice(0, -keptUnused)) {
      shelf.close();
      this.#shelves.delete(key);
    }
  }
}
