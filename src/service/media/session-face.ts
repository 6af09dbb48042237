import type { AvatarActivity } from "../../protocol/data-channel.ts";
import type { VideoMatte } from "../../protocol/exchange.ts";
import { defaultPaddings } from "../../protocol/stage-settings.ts";
import { avatarPlace } from "./avatar-place.ts";
import type { Backdrops } from "./backdrops.ts";
import type { CharacterPictures } from "./character-pictures.ts";
import type { Drawing } from "./drawing.ts";
import { finishedDrawing } from "./finished-drawing.ts";
import { KeptBehaviour } from "./kept-behaviour.ts";
import type { MediaClock } from "./media-clock.ts";
import type { PlayableSpeech, Scene, WantedTemplate } from "./media-engine.ts";
import type { PlaceOrder } from "./order-book.ts";
import { packedDrawing } from "./packed-drawing.ts";
import { defaultFrameSize, frameSizeFor, pictureSizeFor, type PictureSize } from "./picture-size.ts";
import { prepareCharacter } from "./prepare-character.ts";
import { SceneBackground } from "./scene-background.ts";
import { TemplateSwitch } from "./template-switch.ts";
import type { VideoFrame } from "./wrtc.ts";

/** A window being dragged larger asks many times a second; each new size restarts the encoder. */
const resizeAfterMs = 250;

/** How long a character that was not drawn in this size before takes until its first picture, about. */
const firstPictureMs = 100;

/** What a face is made from. */
export interface SessionFaceOptions {
  sessionId: string;
  characterFile: string;
  matte: VideoMatte;
  scene: Scene | undefined;
  /** Side of a packed picture until the client asks for a size. */
  pictureSize: number;
  clock: MediaClock;
  pictures: CharacterPictures;
  backdrops: Backdrops;
  order: PlaceOrder;
  onFault(detail: string): void;
  /** The catalogue has no such look as the client asked for. */
  onUnknownTemplate(): void;
}

/** The face of one session: how it behaves, and its video frames in the form and size that the client asks for. */
export class SessionFace {
  readonly #options: SessionFaceOptions;
  readonly #behaviour: KeptBehaviour;
  readonly #template: TemplateSwitch;
  readonly #background: SceneBackground;
  #characterFile: string;
  #matte: VideoMatte;
  #wanted: PictureSize | undefined;
  #drawing: Drawing | undefined;
  /** What the present drawing's size depends on. */
  #drawnKey = "";
  #resizeTimer: NodeJS.Timeout | undefined;

  /** Throws MediaError `invalid_character`. */
  constructor(options: SessionFaceOptions) {
    const { characterFile, pictures, sessionId, matte } = options;
    this.#options = options;
    this.#characterFile = characterFile;
    this.#matte = matte;
    this.#behaviour = new KeptBehaviour(pictures.character(characterFile), seedOf(sessionId));
    this.#template = this.#newTemplateSwitch();
    this.#background = this.#newBackground();
    this.#drawing = this.#newDrawing();
  }

  /** How its frames carry the avatar. */
  get matte(): VideoMatte {
    return this.#matte;
  }

  /** The client wants its frames in this form. */
  setMatte(matte: VideoMatte): void {
    if (matte === this.#matte) return;
    this.#matte = matte;
    this.#redraw();
  }

  /** The frame of this moment; undefined while its background is waited for. */
  frame(nowMs: number): VideoFrame | undefined {
    const params = this.#behaviour.step(nowMs);
    return this.#background.isAwaited && this.#matte === "none" ? undefined : this.#drawing?.draw(params);
  }

  speak({ visemes, words }: PlayableSpeech, startMs: number): void {
    this.#behaviour.speak({ visemes, words }, startMs);
  }

  stopSpeaking(nowMs: number): void {
    this.#behaviour.stopSpeaking(nowMs);
  }

  setActivity(activity: AvatarActivity): void {
    this.#behaviour.setActivity(activity);
  }

  setReducedMotion(reduced: boolean): void {
    this.#behaviour.setReducedMotion(reduced);
  }

  /** Takes the size for a stage of these device pixels, shortly after the last change. */
  resize(wanted: PictureSize): void {
    clearTimeout(this.#resizeTimer);
    this.#wanted = wanted;
    if (this.#sizeKey() !== this.#drawnKey)
      this.#resizeTimer = setTimeout(() => this.#redraw(), resizeAfterMs);
  }

  /** Takes another look, as soon as it is ready. */
  wantTemplate(template: WantedTemplate): void {
    this.#template.want(template);
  }

  close(): void {
    clearTimeout(this.#resizeTimer);
    this.#template.close();
    this.#background.close();
    this.#drawing?.release();
    this.#drawing = undefined;
  }

  #newTemplateSwitch(): TemplateSwitch {
    const { sessionId, pictures, clock, order, onUnknownTemplate, onFault } = this.#options;
    return new TemplateSwitch({
      find: (wanted) => order(sessionId, "characterFile", wanted),
      prepare: (file) => prepareCharacter(pictures, clock, file, this.#drawnSize()),
      onReady: (file) => this.#takeCharacter(file),
      onUnknown: onUnknownTemplate,
      onFault: (error) => onFault(String(error)),
    });
  }

  #newBackground(): SceneBackground {
    const { sessionId, scene, backdrops, order, onFault } = this.#options;
    return new SceneBackground(scene?.background ?? null, backdrops, {
      order: (image) => order(sessionId, "background", image),
      onChange: () => this.#redraw(),
      onFault,
    });
  }

  get #frameSize(): PictureSize {
    return this.#wanted ? frameSizeFor(this.#wanted) : defaultFrameSize;
  }

  get #packedSize(): number {
    return this.#wanted ? pictureSizeFor(this.#wanted.height) : this.#options.pictureSize;
  }

  #place() {
    return avatarPlace(this.#frameSize, this.#options.scene?.paddings ?? defaultPaddings);
  }

  /** The side that the character is drawn with. */
  #drawnSize(): number {
    return this.#matte === "none" ? this.#place().drawn : this.#packedSize;
  }

  /** What a frame's size depends on: another key means another drawing. */
  #sizeKey(): string {
    const { width, height } = this.#frameSize;
    return this.#matte === "none" ? `${width} ${height}` : `${this.#packedSize}`;
  }

  #takeCharacter(characterFile: string): void {
    const character = this.#options.pictures.character(characterFile);
    this.#characterFile = characterFile;
    this.#redraw();
    this.#behaviour.changeCharacter(character);
  }

  /**
   * Begins to draw anew, because the form, the size, the character or the background is another. Where that fails, the
   * picture stays as it was.
   */
  #redraw(): void {
    try {
      const drawing = this.#newDrawing();
      this.#drawing?.release();
      this.#drawing = drawing;
    } catch (error) {
      this.#options.onFault(`The picture could not be changed: ${String(error)}`);
    }
  }

  #newDrawing(): Drawing {
    const { pictures, backdrops, clock } = this.#options;
    const size = this.#drawnSize();
    if (!pictures.isReady(this.#characterFile, size))
      clock.ahead(firstPictureMs, () => pictures.warm(this.#characterFile, size));
    this.#drawnKey = this.#sizeKey();
    if (this.#matte === "packed-alpha") return packedDrawing(pictures, this.#characterFile, size);
    this.#background.need();
    const { name, background } = this.#background.current;
    const backdrop = backdrops.backdrop(name, background, this.#frameSize);
    return finishedDrawing(pictures, this.#characterFile, backdrop, this.#place());
  }
}

/** Two avatars on one page are not to blink together. */
function seedOf(sessionId: string): number {
  return [...Buffer.from(sessionId)].reduce((seed, byte) => (Math.imul(seed, 31) + byte) | 0, 7);
}
