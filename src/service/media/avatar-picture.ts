import { PoseHold, type PuppetParams } from "../../puppet/index.ts";
import type { CharacterPicture, CharacterPictures } from "./character-pictures.ts";
import { PackedFrame } from "./packed-frame.ts";
import { pictureSizeFor } from "./picture-size.ts";
import type { VideoFrame } from "./wrtc.ts";

/** A window being dragged larger asks many times a second; each new size restarts the encoder. */
const resizeAfterMs = 250;

/** The video frames of one avatar, at the size that its client asks for. */
export class AvatarPicture {
  readonly #pictures: CharacterPictures;
  readonly #characterFile: string;
  #size: number;
  #picture: CharacterPicture;
  #frame: PackedFrame;
  #hold: PoseHold;
  #resizeTimer: NodeJS.Timeout | undefined;

  constructor(pictures: CharacterPictures, characterFile: string, size: number) {
    this.#pictures = pictures;
    this.#characterFile = characterFile;
    this.#size = size;
    this.#picture = pictures.take(characterFile, size);
    this.#frame = new PackedFrame(size);
    this.#hold = new PoseHold(this.#pictures.character(this.#characterFile), size);
  }

  /** The frame of this pose. */
  draw(params: PuppetParams): VideoFrame {
    const patch = this.#picture.draw(this.#hold.hold(params));
    if (patch) this.#frame.pack(patch);
    return this.#frame.video;
  }

  /** Takes the size for a stage of these device pixels, shortly after the last change. */
  resize({ height }: { height: number }): void {
    clearTimeout(this.#resizeTimer);
    const size = pictureSizeFor(height);
    if (size === this.#size) return;
    this.#resizeTimer = setTimeout(() => this.#takeSize(size), resizeAfterMs);
  }

  release(): void {
    clearTimeout(this.#resizeTimer);
    this.#picture.release();
  }

  #takeSize(size: number): void {
    const picture = this.#pictures.take(this.#characterFile, size);
    this.#picture.release();
    this.#picture = picture;
    this.#frame = new PackedFrame(size);
    this.#hold = new PoseHold(this.#pictures.character(this.#characterFile), size);
    this.#size = size;
  }
}
