import type { SessionHold } from "../session/session-controller.ts";
import { playResize, shapeOf, type WindowShape } from "../motion/resize-motion.ts";
import { topCentre } from "./ring.ts";
import { StageMount, type Picture } from "./stage-mount.ts";
import { VideoSize } from "./video-size.ts";

/** The picture in an element's window: what it shows, how large it is, and how it changes its size. */
export class WindowPicture {
  readonly #hold: SessionHold;
  readonly #events: { changed(): void; firstFrame(): void };
  readonly #videoSize: VideoSize;
  #mount: StageMount | null = null;
  #attached: HTMLVideoElement | null = null;
  #shape: WindowShape | null = null;
  #under: string | null = null;
  #ringStart = 0;

  /** `changed` is called when the window has another size, `firstFrame` when the first frame of a video is drawn. */
  constructor(hold: SessionHold, events: { changed(): void; firstFrame(): void }) {
    this.#hold = hold;
    this.#events = events;
    this.#videoSize = new VideoSize(() => hold.current);
  }

  /**
   * The picture's element, made when it is first asked for: ahead of the panel, where the visitor reaches for it. From
   * then on `show()` fetches the pictures.
   */
  get element(): HTMLElement {
    return this.#made().element;
  }

  #made(): StageMount {
    this.#mount ??= new StageMount({
      size: (frame) => {
        this.#videoSize.set(this.#hold.context, frame);
        this.#shape = shapeOf(this.#mount?.element.parentElement ?? null);
        this.#ringStart = ringStartOf(this.#mount?.element);
        this.#events.changed();
      },
      firstFrame: () => this.#events.firstFrame(),
    });
    return this.#mount;
  }

  /** Where along the ring its top centre lies, in percent. */
  get ringStart(): number {
    return this.#ringStart;
  }

  /** Makes the picture ahead of its window: its stage stands and its pictures are there when the panel opens. */
  prepare(look: Omit<Picture, "context">): void {
    this.#made();
    this.show(look);
  }

  /** Shows the context's picture and, while there is one, the session's video. */
  show(look: Omit<Picture, "context">): void {
    const { context, conversation, current } = this.#hold;
    this.#mount?.show({ ...look, context, still: context?.model_style.still ?? look.still });
    const over = ["ended", "error", "idle"].includes(conversation.state);
    const video = over ? null : (current?.mediaElement ?? null);
    if (video === this.#attached) return;
    this.#attached = video;
    if (video) this.#mount?.attach(video);
    else this.#mount?.detach();
  }

  /**
   * When something else stands under the window, the window grows or shrinks to its new shape. `under` names what
   * stands there.
   */
  follow(window: HTMLElement | null, under: string, moves: boolean): void {
    const key = window && (window.nextElementSibling ? under : "");
    if (key === this.#under) return;
    const first = this.#under === null;
    this.#under = key;
    if (window && this.#shape && moves && !first) playResize(window, this.#shape);
  }

  destroy(): void {
    this.#videoSize.stop();
    this.#mount?.destroy();
    this.#mount = null;
    this.#attached = null;
    this.#under = null;
  }
}

/** Where along the ring around a picture its top centre lies, in percent. */
function ringStartOf(view: HTMLElement | undefined): number {
  if (!view?.offsetWidth) return 0;
  const radius = parseFloat(getComputedStyle(view).borderTopLeftRadius) + 5;
  return topCentre(view.offsetWidth + 10, view.offsetHeight + 10, radius);
}
