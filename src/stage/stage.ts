import type { FrameRenderer } from "./frame-renderer.ts";
import type { StageMatte } from "./matte.ts";
import type { Size, StageRect } from "./stage-geometry.ts";

/** What a stage shows and where (product contract, The stage). */
export interface StageOptions {
  /** How the video carries the avatar's transparency. */
  matte: StageMatte;
  /** Offset of the avatar's centre from the middle, −1 to 1 frame widths. */
  paddingLeft: number;
  /** Its top edge, 0 to 1 frame heights from the top. */
  paddingTop: number;
  /** Its height, 0 to 5 frame heights. */
  paddingHeight: number;
  /** URL of the picture behind the avatar, or null. */
  background: string | null;
  /** The page itself shows behind the avatar: the background is not drawn. */
  transparent: boolean;
  /** URL of the avatar's full still (square, transparent), shown until the first frame, or null. */
  poster: string | null;
  /** Pixels of the picture for each pixel of the screen. Default: 1. */
  scale?: number;
  /** The poster is shown instead of the video. */
  still?: boolean;
}

/** Shows an avatar in its frame. */
export interface Stage {
  setOptions(options: Partial<StageOptions>): void;
  /** Inserts the video into the host, hidden, and draws its frames. The caller still owns the video. */
  attach(video: HTMLVideoElement): void;
  /** Removes the video from the host. The last frame stays visible, or the poster if there was no frame. */
  detach(): void;
  /** Draws each new frame of the video. A caller may replace it, to measure `draw` or to leave it out. */
  onFrame: (draw: () => void) => void;
  /**
   * Shows what another renderer draws, in frames of this size, instead of the video's frames. Null: the video's frames again, and
   * the poster until the next one. The stage then owns the renderer.
   */
  use(renderer: FrameRenderer | null, frame?: Size): void;
  /** Calls the listener when the first frame of each attached video has been drawn. */
  onFirstFrame(listener: () => void): () => void;
  /** What draws; null while that is being loaded. */
  readonly renderer: FrameRenderer["kind"] | null;
  /** The avatar's rectangle in fractions of the frame. */
  avatarRect(): StageRect;
  /** Removes everything from the host. */
  destroy(): void;
}
