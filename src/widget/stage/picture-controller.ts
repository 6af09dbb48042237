import type { AvatarSession } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { ReactiveController } from "lit";
import type { measureLayout } from "../motion/layout-motion.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";
import type { chooseDrawing } from "../drawing/drawing-choice.ts";
import { topCentre } from "./ring.ts";
import type { adaptPicture } from "./adapt-picture.ts";
import { type Picture, StageMount } from "./stage-mount.ts";

const settleMs = 300;
const largest = 1024;

/** Tells the session how large the video is shown, once its size has settled. */
class VideoSize {
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

/** How the picture is shown; its context is the session's. */
type Look = Omit<Picture, "context">;

/** What adapts the picture, as far as it is loaded. */
interface Adapters {
  readonly chrome?: { adaptPicture: typeof adaptPicture };
  readonly drawing?: { chooseDrawing: typeof chooseDrawing };
}

/** The picture in the panel: what it shows, how large it is, and how it changes its size. */
export class PictureController implements ReactiveController {
  /** Where along the ring its top centre lies, in percent. */
  ringStart = 0;
  readonly #host: PanelHost;
  readonly #session: SessionController;
  readonly #handleFirstFrame: () => void;
  readonly #videoSize: VideoSize;
  #mount: StageMount | null = null;
  #attached: HTMLVideoElement | null = null;
  #quality: ReturnType<typeof adaptPicture> | undefined;
  #glide: ReturnType<typeof measureLayout> | undefined;

  /** `handleFirstFrame` is called when the first frame of a video is drawn. */
  constructor(host: PanelHost, session: SessionController, handleFirstFrame: () => void) {
    this.#host = host;
    this.#session = session;
    this.#handleFirstFrame = handleFirstFrame;
    this.#videoSize = new VideoSize(() => session.current);
    host.addController(this);
  }

  hostDisconnected(): void {
    // An element that is only moved in the page keeps its picture.
    queueMicrotask(() => {
      if (!this.#host.isConnected) this.#destroy();
    });
  }

  /** The picture's element, made when it is first asked for. From then on `show()` fetches the pictures. */
  get element(): HTMLElement {
    return this.#made().element;
  }

  /** Makes the picture ahead of the panel: its stage and its pictures are there when the panel opens. */
  prepare(look: Look): void {
    this.#made();
    this.show(look);
  }

  /** Shows the context's picture and, while there is one, the session's video. */
  show(look: Look): void {
    const { context, snapshot, current } = this.#session;
    this.#mount?.show({ ...look, context, still: context?.model_style.still ?? look.still });
    const over = ["ended", "error", "idle"].includes(snapshot.state);
    // Without a stage there is nothing to attach the video to yet.
    const video = over || !this.#mount ? null : (current?.mediaElement ?? null);
    if (video === this.#attached) return;
    this.#attached = video;
    if (video) this.#mount?.attach(video);
    else this.#mount?.detach();
  }

  /** Before the layout changes: by an update, or by the style sheet of a view. */
  measure(chrome: { measureLayout: typeof measureLayout } | undefined): void {
    this.#glide ??= chrome?.measureLayout(this.#host.renderRoot);
  }

  /** Lets picture and panel glide from where they were, unless another motion runs. `reduced`: at once. */
  glide(moves: boolean, reduced: boolean): void {
    if (moves) this.#glide?.(reduced);
    this.#glide = null;
  }

  /** From now on, who draws the picture and how well follows the owner's wish and what its frames cost. */
  adapt({ chrome, drawing }: Adapters): void {
    const mount = this.#mount;
    if (!mount?.stage) return;
    drawing?.chooseDrawing(this.#host, mount.stage, this.#session);
    this.#quality ??= chrome?.adaptPicture(this.#host, mount.stage, this.#session, {
      setScale: (scale) => {
        this.#videoSize.scale = scale;
        mount.refresh();
      },
    });
  }

  #made(): StageMount {
    this.#mount ??= new StageMount({
      size: (frame) => {
        this.#videoSize.set(this.#session.context, frame);
        this.ringStart = ringStartOf(this.#mount?.element);
        this.#host.requestUpdate();
      },
      firstFrame: this.#handleFirstFrame,
    });
    return this.#mount;
  }

  #destroy(): void {
    this.#quality?.stop();
    this.#quality = undefined;
    this.#videoSize.scale = 1;
    this.#videoSize.stop();
    this.#mount?.destroy();
    this.#mount = null;
    this.#attached = null;
  }
}

/** Where along the ring around a picture its top centre lies, in percent. */
function ringStartOf(view: HTMLElement | undefined): number {
  if (!view?.offsetWidth) return 0;
  const radius = parseFloat(getComputedStyle(view).borderTopLeftRadius) + 5;
  return topCentre(view.offsetWidth + 10, view.offsetHeight + 10, radius);
}
