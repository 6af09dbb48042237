import type { AvatarSession } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/relay-api.ts";

const settleMs = 300;
const largest = 1024;

/** Tells the session how large the video is shown, once its size has settled. */
export class VideoSize {
  /** Pixels of the video for each pixel of the screen. */
  scale = 1;
  #session: () => AvatarSession | null;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(session: () => AvatarSession | null) {
    this.#session = session;
  }

  /** A frame of this size shows an avatar of this height, in CSS pixels. */
  set(context: PublicContext | null, frame: { width: number; height: number; avatarHeight: number }): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const { width, height } = wantedSize(
        context?.model_style.matte ?? "none",
        frame,
        devicePixelRatio * this.scale,
      );
      this.#session()?.setVideoSize(width, height);
    }, settleMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}

/** Video pixels for a frame: a finished picture fills it, a cut-out avatar is square. Even numbers, as codecs want. */
export function wantedSize(
  matte: string,
  frame: { width: number; height: number; avatarHeight: number },
  pixelRatio: number,
): { width: number; height: number } {
  const [width, height] =
    matte === "none" ? [frame.width, frame.height] : [frame.avatarHeight, frame.avatarHeight];
  const scale = Math.min(pixelRatio, largest / Math.max(width, height, 1));
  const even = (value: number) => Math.max(2, Math.round((value * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
