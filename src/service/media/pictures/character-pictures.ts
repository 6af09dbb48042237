import { readFileSync } from "node:fs";
import { createCanvas, Path2D } from "@napi-rs/canvas";
import { photoMotion } from "../../../photo/index.ts";
import type { VideoMatte } from "../../../protocol/session/exchange.ts";
import { photoCharacterSchema } from "../../../protocol/characters/photo-character.ts";
import { isPhotoCharacter } from "../../../protocol/characters/photo-format.ts";
import {
  type Character,
  createPatchRenderer,
  type MovingCharacter,
  parseCharacter,
  type PatchRenderer,
  type PuppetEnvironment,
} from "../../../puppet/index.ts";
import { type CharacterPicture, type DrawingCanvas, pixelsOf } from "./drawing.ts";
import { MediaError } from "../media-error.ts";
import { canComposePlanes, type PlanePicture, planePictures } from "../planes/plane-pictures.ts";
import { PhotoArtist, photoPicture } from "../photo/photo-artist.ts";

/** Makes pictures of one character and size that share what is costly. */
interface PictureStock<Picture> {
  /** `onRelease` is to be called when the picture is no longer needed. */
  newPicture(onRelease: () => void): Picture;
  /** It is not used any more. */
  close(): void;
}

/** How many unused stocks are kept, because a new one delays a visitor by about 40 ms. */
const keptUnused = 4;

/** The stocks of a process, by their keys. */
export class PictureShelves<Picture> {
  readonly #shelves = new Map<string, { stock: PictureStock<Picture>; users: number }>();

  has(key: string): boolean {
    return this.#shelves.has(key);
  }

  /** A picture of the stock with this key, which is made if there is none. */
  take(key: string, newStock: () => PictureStock<Picture>): Picture {
    const shelf = this.#shelves.get(key) ?? { stock: newStock(), users: 0 };
    this.#shelves.set(key, shelf);
    shelf.users++;
    return shelf.stock.newPicture(() => {
      shelf.users--;
      this.#tidy();
    });
  }

  /** Forgets a stock, so that the next picture of this key has a new one. */
  drop(key: string): void {
    this.#shelves.delete(key);
  }

  #tidy(): void {
    const unused = [...this.#shelves].filter(([, { users }]) => users === 0);
    for (const [key, { stock }] of unused.slice(0, -keptUnused)) {
      stock.close();
      this.#shelves.delete(key);
    }
  }
}

const environment: PuppetEnvironment<DrawingCanvas> = {
  Path2D,
  createCanvas: (width, height) => createCanvas(width, height),
};

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
interface CharacterPicturesOptions {
  /** The built script of these threads. Without it, photo characters cannot be drawn. */
  photoWorkerUrl?: URL | undefined;
  /** Such a thread has failed. */
  onFault?(detail: string): void;
}

/** Loads characters once and shares their renderers between sessions. */
export class CharacterPictures {
  readonly #options: CharacterPicturesOptions;
  readonly #characters = new Map<string, Known>();
  readonly #shelves = new PictureShelves<CharacterPicture>();
  readonly #planes = new PictureShelves<PlanePicture>();

  constructor(options: CharacterPicturesOptions = {}) {
    this.#options = options;
  }

  /** The character of a file (absolute path), as its behaviour sees it. Throws MediaError `invalid_character`. */
  character(file: string): MovingCharacter {
    const known = this.#known(file);
    return known.kind === "photo" ? photoMotion : known.character;
  }

  /** Whether a picture of this size is cheap, because its renderer exists already. */
  isReady(file: string, size: number, matte: VideoMatte): boolean {
    const known = this.#characters.get(file);
    const shelves = known && composed(known, size, matte) ? this.#planes : this.#shelves;
    return shelves.has(keyOf(file, size));
  }

  /** A picture of the character, `size` pixels square. Throws MediaError `invalid_character`. */
  take(file: string, size: number): CharacterPicture {
    return this.#shelves.take(keyOf(file, size), () => this.#newStock(file, size));
  }

  /**
   * Packed frames of the character; undefined if they are to be made of its picture: for photo characters, for sizes that are no multiple of
   * 16, and on processors without SIMD. Throws MediaError `invalid_character`.
   */
  takePacked(file: string, size: number): PlanePicture | undefined {
    const character = composed(this.#known(file), size, "packed-alpha");
    if (!character) return undefined;
    return this.#planes.take(keyOf(file, size), () => {
      const newPicture = planePictures(character, size);
      return { newPicture, close: () => undefined };
    });
  }

  /** Draws once, so that the layers are ready for the next picture of this kind. Throws MediaError `invalid_character`. */
  warm(file: string, size: number, matte: VideoMatte): void {
    const packed = matte === "packed-alpha" ? this.takePacked(file, size) : undefined;
    if (packed) {
      packed.draw({});
      packed.release();
      return;
    }
    const picture = this.take(file, size);
    picture.paint({});
    picture.release();
  }

  #known(file: string): Known {
    const known = this.#characters.get(file) ?? readCharacter(file);
    this.#characters.set(file, known);
    return known;
  }

  #newStock(file: string, size: number): PictureStock<CharacterPicture> {
    const known = this.#known(file);
    return known.kind === "photo" ? this.#photos(file, size) : drawnStock(known.character, size);
  }

  #photos(file: string, size: number): PictureStock<CharacterPicture> {
    const { photoWorkerUrl, onFault } = this.#options;
    if (!photoWorkerUrl) throw MediaError.invalidCharacter(file, "Nothing here draws photo characters.");
    const artist = new PhotoArtist(photoWorkerUrl, { file, size }, (detail) => {
      this.#shelves.drop(keyOf(file, size));
      onFault?.(`A photo character is not drawn any more: ${detail}`);
    });
    return { newPicture: (onRelease) => photoPicture(artist, onRelease), close: () => artist.close() };
  }
}

/** The character, if its frames with this matte are composed of planes. */
function composed(known: Known, size: number, matte: VideoMatte): Character | undefined {
  const isComposed = matte === "packed-alpha" && known.kind === "drawn" && canComposePlanes(size);
  return isComposed ? known.character : undefined;
}

function keyOf(file: string, size: number): string {
  return `${size} ${file}`;
}

function drawnStock(character: Character, size: number): PictureStock<CharacterPicture> {
  const renderer = createPatchRenderer(character, environment, { size });
  return {
    newPicture: (onRelease) => drawnPicture(renderer.sibling(), onRelease),
    close: () => undefined,
  };
}
