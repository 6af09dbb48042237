import type { PublicContext } from "../../protocol/session/relay-api.ts";
import { createStage, type Stage, type StageMatte } from "../../stage/index.ts";
import { framingOf } from "./framing.ts";
import type { SetPaddings } from "./set-paddings.ts";

/** What the picture depends on. */
export interface Picture {
  readonly context: PublicContext | null;
  readonly transparent: boolean;
  /** Paddings of the element's attributes; each replaces the context's. */
  readonly paddings: SetPaddings;
  /** The launcher's small picture, which is there at once. */
  readonly still: string | null;
}

/** What the picture reports. Sizes in CSS pixels. */
export interface PictureEvents {
  size(frame: { width: number; height: number; avatarHeight: number }): void;
  /** The first frame of a video has been drawn. */
  firstFrame(): void;
}

const uncoverMs = 280;

const noPicture: Picture = { context: null, transparent: false, paddings: {}, still: null };

/**
 * The picture: one element with its stage that moves between layouts, so that the video never restarts. Until the poster
 * is decoded it shows the still, or an outline of a person if there is none.
 */
export class StageMount {
  readonly element = document.createElement("div");
  readonly #host = document.createElement("div");
  readonly #resize = new ResizeObserver(() => {
    this.#reframe();
  });
  readonly #events: PictureEvents;
  #stage: Stage | null = null;
  #picture: Picture = noPicture;
  #cover: Element | null = null;
  #video: HTMLVideoElement | null = null;

  constructor(events: PictureEvents) {
    this.#events = events;
    this.element.className = "vv-view";
    this.element.setAttribute("part", "window");
    this.#host.className = "vv-stage";
    this.element.append(this.#host);
    this.#resize.observe(this.element);
  }

  /** Shows the context's picture. The cover is removed when the poster is decoded. */
  show(picture: Picture): void {
    const before = this.#picture;
    this.#picture = picture;
    const { context } = picture;
    if (!this.#stage) this.#showCover();
    if (!context) return;
    if (context === before.context && picture.transparent === before.transparent) {
      if (picture.paddings !== before.paddings) this.#reframe();
      return;
    }
    const { matte, poster } = context.model_style;
    const options = {
      matte: matte as StageMatte,
      background: context.background,
      transparent: picture.transparent,
      poster,
      ...this.#framing(),
    };
    if (this.#stage) {
      this.#stage.setOptions(options);
      // Another matte wants another size of video.
      this.#reframe();
    } else {
      this.#stage = createStage(this.#host, options);
      this.#stage.onFirstFrame(() => {
        this.#uncover();
        this.#events.firstFrame();
      });
      if (this.#video) this.#stage.attach(this.#video);
    }
    if (poster) void this.#uncoverAfter(poster);
  }

  /** The stage, once there is one. */
  get stage(): Stage | null {
    return this.#stage;
  }

  /** Shows a video, now or as soon as there is a stage. */
  attach(video: HTMLVideoElement): void {
    this.#video = video;
    this.#stage?.attach(video);
  }

  detach(): void {
    this.#video = null;
    this.#stage?.detach();
  }

  /** Frames the picture again for the element's present size. */
  refresh(): void {
    this.#reframe();
  }

  destroy(): void {
    this.#resize.disconnect();
    this.#stage?.destroy();
    this.#stage = null;
    this.#picture = noPicture;
  }

  #framing() {
    const { width, height } = this.#size();
    const { context, paddings } = this.#picture;
    return framingOf({ ...context?.stage, ...paddings }, width, height, context?.model_style.opaque);
  }

  /** Layout size: the opening motion's transform must not change the framing. */
  #size(): { width: number; height: number } {
    return { width: this.element.offsetWidth, height: this.element.offsetHeight };
  }

  #reframe(): void {
    const { width, height } = this.#size();
    if (!width || !height) return;
    const framing = this.#framing();
    this.#stage?.setOptions(framing);
    this.#events.size({ width, height, avatarHeight: height * framing.paddingHeight });
  }

  #showCover(): void {
    const { still } = this.#picture;
    if (this.#cover && (this.#cover instanceof HTMLImageElement || !still)) return;
    if (!still) {
      void this.#showOutline().catch(() => undefined);
      return;
    }
    const image = new Image();
    image.src = still;
    image.alt = "";
    image.className = "vv-still";
    this.#setCover(image);
  }

  async #showOutline(): Promise<void> {
    const { personOutline } = await import("./person-outline.ts");
    // By now there may be a picture.
    if (!this.#cover && !this.#stage) this.#setCover(personOutline());
  }

  #setCover(cover: Element): void {
    this.#cover?.remove();
    this.#cover = cover;
    this.element.prepend(cover);
  }

  async #uncoverAfter(url: string): Promise<void> {
    const image = new Image();
    image.src = url;
    try {
      await image.decode();
      this.#uncover();
    } catch {
      // Without a poster the still stays until the first frame.
    }
  }

  /** Fades out the cover. */
  #uncover(): void {
    const cover = this.#cover;
    if (!cover) return;
    this.#cover = null;
    if (!("animate" in cover)) return;
    // A picture that is not in the page yet needs no fading.
    if (!this.element.isConnected) {
      cover.remove();
      return;
    }
    const reduced = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const fade = cover.animate({ opacity: [1, 0] }, { duration: reduced ? 0 : uncoverMs, fill: "forwards" });
    fade.onfinish = () => cover.remove();
  }
}
