import type { StageMatte } from "./matte.ts";
import type { StageRect } from "./stage-geometry.ts";

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
  /** The avatar stands on the page itself: the background is not shown. */
  transparent: boolean;
  /** URL of the avatar's full still (square, transparent), shown until the first frame, or null. */
  poster: string | null;
}

/** Shows an avatar in its frame. */
export interface Stage {
  setOptions(options: Partial<StageOptions>): void;
  /** Takes the video into the frame, hidden, and draws its frames. The video's owner stays its owner. */
  attach(video: HTMLVideoElement): void;
  /** Gives the video back; the last frame goes on showing, or the poster where none has come. */
  detach(): void;
  /** Calls the listener when the first frame of each attached video has been drawn. */
  onFirstFrame(listener: () => void): () => void;
  readonly renderer: "webgl2" | "2d" | "video";
  /** The avatar's rectangle in fractions of the frame. */
  avatarRect(): StageRect;
  /** Removes everything from the host. */
  destroy(): void;
}
