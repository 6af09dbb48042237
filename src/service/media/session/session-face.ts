import { setImmediate as nextTurn } from "node:timers/promises";
import type { VideoMatte } from "../../../protocol/session/exchange.ts";
import type { CharacterPictures } from "../pictures/character-pictures.ts";
import type { MediaClock } from "../media-clock.ts";
import type { AvatarActivity, AvatarExpression } from "../../../protocol/session/data-channel.ts";
import type { SpeechTimeline } from "../../../puppet/index.ts";
import { defaultPaddings } from "../../../protocol/settings/stage-settings.ts";
import {
  avatarPlace,
  defaultFrameSize,
  frameSizeFor,
  type PictureSize,
  pictureSizeFor,
} from "../pictures/avatar-place.ts";
import type { Backdrops } from "../pictures/backdrops.ts";
import type { Drawing } from "../pictures/drawing.ts";
import { finishedDrawing } from "../pictures/finished-drawing.ts";
import { KeptBehaviour } from "../pictures/kept-behaviour.ts";
import type { PeerRequest, Scene } from "../media-engine.ts";
import type { MediaProcessSettings } from "../processes/media-ipc.ts";
import { wantsVideo } from "../negotiation/sdp.ts";
import type { PlaceOrder } from "../processes/order-book.ts";
import { packedDrawing } from "../pictures/packed-drawing.ts";
import { SceneBackground } from "../pictures/scene-background.ts";
import type { VideoFrame } from "../wrtc.ts";

/** Roughly how long each step blocks, in ms. */
const parseMs = 20;
const layOutMs = 20;
const drawMs = 60;

/**
 * Prepares a character for drawing with this size and matte while other sessions continue. It works in steps; before each, the audio of the
 * blocked time is sent. Throws MediaError `invalid_character`.
 */
async function prepareCharacter(
  pictures: CharacterPictures,
  clock: MediaClock,
  file: string,
  { size, matte }: { readonly size: number; readonly matte: VideoMatte },
): Promise<void> {
  if (pictures.isReady(file, size, matte)) return;
  clock.ahead(parseMs, () => pictures.character(file));
  await nextTurn();
  const picture = clock.ahead(
    layOutMs,
    () =>
      (matte === "packed-alpha" ? pictures.takePacked(file, size) : undefined) ?? pictures.take(file, size),
  );
  await nextTurn();
  clock.ahead(drawMs, () => picture.draw({}));
  picture.release();
}

/** Delay of a resize. A window that is being resized requests many sizes per second, and each restarts the encoder. */
const resizeAfterMs = 250;

/** Roughly how long the first picture of a character in a new size takes. */
const firstPictureMs = 100;

/** Dependencies and settings of a face. */
interface SessionFaceOptions {
  sessionId: string;
  characterFile: string;
  matte: VideoMatte;
  scene: Scene | undefined;
  /** Side of a packed picture until the client requests a size. */
  pictureSize: number;
  clock: MediaClock;
  /** Whether its frames are sent from the beginning. */
  isShown: boolean;
  pictures: CharacterPictures;
  backdrops: Backdrops;
  order: PlaceOrder;
  onFault(detail: string): void;
}

/** What all faces of a process have in common, besides what a session asks for. */
type FaceParts = Pick<SessionFaceOptions, "clock" | "pictures" | "backdrops" | "order" | "onFault"> & {
  settings: Pick<MediaProcessSettings, "pictureSize">;
};

/** The face of a session that begins with this request; null if the caller draws. Throws MediaError `invalid_character`. */
export function faceOf(
  { sessionId, characterFile, matte = "none", scene, offerSdp }: PeerRequest,
  { settings: { pictureSize }, clock, pictures, backdrops, order, onFault }: FaceParts,
): SessionFace | null {
  if (characterFile === null) return null;
  const isShown = wantsVideo(offerSdp);
  const asked = { sessionId, characterFile, matte, scene, isShown };
  return new SessionFace({ ...asked, pictureSize, clock, pictures, backdrops, order, onFault });
}

/** The face of one session: its behaviour, and its video frames with the matte and size that the client requests. */
export class SessionFace {
  readonly #options: SessionFaceOptions;
  readonly #behaviour: KeptBehaviour;
  readonly #background: SceneBackground;
  #characterFile: string;
  #matte: VideoMatte;
  #isShown: boolean;
  #wanted: PictureSize | undefined;
  #drawing: Drawing | undefined;
  /** The size key of the current drawing. */
  #drawnKey = "";
  #resizeTimer: NodeJS.Timeout | undefined;

  /** Throws MediaError `invalid_character`. */
  constructor(options: SessionFaceOptions) {
    const { characterFile, pictures, sessionId, matte } = options;
    this.#options = options;
    this.#characterFile = characterFile;
    this.#matte = matte;
    this.#isShown = options.isShown;
    this.#behaviour = new KeptBehaviour(pictures.character(characterFile), seedOf(sessionId));
    this.#background = this.#newBackground();
    if (this.#isShown) this.#drawing = this.#newDrawing();
  }

  /** Sets whether its frames are sent. While they are not, nothing is drawn, and no background is fetched. */
  setShown(isShown: boolean): void {
    if (isShown === this.#isShown) return;
    this.#isShown = isShown;
    if (isShown) {
      this.#redraw();
      return;
    }
    this.#drawing?.release();
    this.#drawing = undefined;
    this.#behaviour.rest();
  }

  /** The matte of its frames. */
  get matte(): VideoMatte {
    return this.#matte;
  }

  /** Changes the matte of its frames. */
  setMatte(matte: VideoMatte): void {
    if (matte === this.#matte) return;
    this.#matte = matte;
    this.#redraw();
  }

  /** The current frame; undefined while its background is awaited. */
  frame(nowMs: number): VideoFrame | undefined {
    const params = this.#behaviour.step(nowMs + (this.#drawing?.aheadMs ?? 0));
    return this.#background.isAwaited && this.#matte === "none" ? undefined : this.#drawing?.draw(params);
  }

  /** Whether the latest frame is the same as the one before it. */
  get isStill(): boolean {
    return this.#drawing?.isStill ?? false;
  }

  speak(timeline: SpeechTimeline, startMs: number): void {
    this.#behaviour.speak(timeline, startMs);
  }

  /** Speech will begin soon. */
  prepareToSpeak(nowMs: number): void {
    this.#behaviour.prepareToSpeak(nowMs);
  }

  stopSpeaking(nowMs: number): void {
    this.#behaviour.stopSpeaking(nowMs);
  }

  /** Sets what the avatar does while it does not speak; after `untilMs` it is idle again. */
  setActivity(activity: AvatarActivity, untilMs?: number): void {
    this.#behaviour.setActivity(activity, untilMs);
  }

  /** Whether the client's microphone has a voice now. */
  hearVoice(nowMs: number, isVoice: boolean): void {
    this.#behaviour.hearVoice(nowMs, isVoice);
  }

  /** What the client said. */
  hearWords(nowMs: number, text: string): void {
    this.#behaviour.hearWords(nowMs, text);
  }

  /** Shows a mood for the next answer, an expression at once, or both. */
  express({ mood, expression }: AvatarExpression, nowMs: number): void {
    if (mood) this.#behaviour.setMood(mood, nowMs);
    if (expression) this.#behaviour.express(expression, nowMs);
  }

  setReducedMotion(reduced: boolean): void {
    this.#behaviour.setReducedMotion(reduced);
  }

  /** Changes the size to fit a stage of these device pixels, shortly after the last call. */
  resize(wanted: PictureSize): void {
    clearTimeout(this.#resizeTimer);
    this.#wanted = wanted;
    if (this.#sizeKey() !== this.#drawnKey)
      this.#resizeTimer = setTimeout(() => this.#redraw(), resizeAfterMs);
  }

  /** Prepares another character for drawing. Rejects if it cannot be drawn. */
  async prepareCharacter(characterFile: string): Promise<void> {
    const { pictures, clock } = this.#options;
    if (this.#isShown)
      await prepareCharacter(pictures, clock, characterFile, { size: this.#drawnSize(), matte: this.#matte });
  }

  /** Shows another character, even within a sentence. */
  takeCharacter(characterFile: string): void {
    const character = this.#options.pictures.character(characterFile);
    this.#characterFile = characterFile;
    this.#redraw();
    this.#behaviour.changeCharacter(character);
  }

  close(): void {
    clearTimeout(this.#resizeTimer);
    this.#background.close();
    this.#drawing?.release();
    this.#drawing = undefined;
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

  /** The side at which the character is drawn. */
  #drawnSize(): number {
    return this.#matte === "none" ? this.#place().drawn : this.#packedSize;
  }

  /** Identifies the frame size: a different key needs a new drawing. */
  #sizeKey(): string {
    const { width, height } = this.#frameSize;
    return this.#matte === "none" ? `${width} ${height}` : `${this.#packedSize}`;
  }

  /**
   * Creates a new drawing after a change of matte, size, character or background. If that fails, the picture stays as it was.
   */
  #redraw(): void {
    if (!this.#isShown) return;
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
    if (!pictures.isReady(this.#characterFile, size, this.#matte))
      clock.ahead(firstPictureMs, () => pictures.warm(this.#characterFile, size, this.#matte));
    this.#drawnKey = this.#sizeKey();
    if (this.#matte === "packed-alpha") return packedDrawing(pictures, this.#characterFile, size);
    this.#background.need();
    const { name, background } = this.#background.current;
    const backdrop = backdrops.backdrop(name, background, this.#frameSize);
    return finishedDrawing(pictures, this.#characterFile, backdrop, this.#place());
  }
}

/** A seed from the session id, so that two avatars on one page do not blink together. */
function seedOf(sessionId: string): number {
  return [...Buffer.from(sessionId)].reduce((seed, byte) => (Math.imul(seed, 31) + byte) | 0, 7);
}
