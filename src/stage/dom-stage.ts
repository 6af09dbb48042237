import { fill, type Style } from "./box-style.ts";
import { createCanvasRenderer } from "./canvas-renderer.ts";
import type { FrameRenderer } from "./frame-renderer.ts";
import { parseMatte } from "./matte.ts";
import { createVideoRenderer } from "./video-renderer.ts";
import { avatarRect, pictureSize, type Size, type StageRect } from "./stage-geometry.ts";
import type { Stage, StageOptions } from "./stage.ts";
import { StillImage } from "./still-image.ts";
import { watchFrames } from "./video-frames.ts";
import { createWebglRenderer } from "./webgl-renderer.ts";

/** Pictures have this size where no frame has come yet. */
const posterSize: Size = { width: 512, height: 512 };

/** The stage in a page: background, avatar and poster, one above the other, in the host. */
export class DomStage implements Stage {
  readonly #host: HTMLElement;
  #options: StageOptions;
  readonly #background = new StillImage();
  readonly #poster = new StillImage();
  #renderer: FrameRenderer;
  #losses = 0;
  #video: HTMLVideoElement | null = null;
  #stopFrames: (() => void) | null = null;
  /** Size of the frame taken last; null before the first. */
  #frameSize: Size | null = null;
  #awaitsFirst = false;
  #inView = true;
  #size: Size = { width: 0, height: 0 };
  readonly #firstFrame = new Set<() => void>();
  readonly #resizes = new ResizeObserver(() => this.#handleResize());
  readonly #views = new IntersectionObserver((entries) => this.#handleView(entries.at(-1)));
  readonly #handleVisibility = (): void => this.#takeFrame();

  constructor(host: HTMLElement, options: StageOptions) {
    this.#host = host;
    this.#options = options;
    this.#renderer = this.#createRenderer();
    host.append(this.#background.element, this.#renderer.element, this.#poster.element);
    this.#resizes.observe(host);
    this.#views.observe(host);
    document.addEventListener("visibilitychange", this.#handleVisibility);
    this.#handleResize();
    this.#applyOptions();
  }

  get renderer(): FrameRenderer["kind"] {
    return this.#renderer.kind;
  }

  setOptions(options: Partial<StageOptions>): void {
    const { matte } = this.#options;
    this.#options = { ...this.#options, ...options };
    if (this.#options.matte !== matte) this.#takeFrame();
    this.#applyOptions();
  }

  attach(video: HTMLVideoElement): void {
    this.detach();
    this.#video = video;
    fill(video);
    // Not `display: none`: browsers stop decoding what is not laid out.
    const hidden: Style = { opacity: "0", pointerEvents: "none", objectFit: "fill" };
    Object.assign(video.style, hidden, { width: "1px", height: "1px" });
    video.setAttribute("aria-hidden", "true");
    this.#host.prepend(video);
    this.#awaitsFirst = true;
    this.#stopFrames = watchFrames(video, () => this.#takeFrame());
  }

  detach(): void {
    this.#stopFrames?.();
    this.#stopFrames = null;
    this.#video?.remove();
    this.#video = null;
  }

  onFirstFrame(listener: () => void): () => void {
    this.#firstFrame.add(listener);
    return () => this.#firstFrame.delete(listener);
  }

  avatarRect(): StageRect {
    const { mode } = parseMatte(this.#options.matte);
    const picture = this.#frameSize ? pictureSize(this.#frameSize, mode) : posterSize;
    return avatarRect(this.#size, picture, mode, this.#options);
  }

  destroy(): void {
    this.detach();
    this.#resizes.disconnect();
    this.#views.disconnect();
    document.removeEventListener("visibilitychange", this.#handleVisibility);
    this.#firstFrame.clear();
    this.#renderer.destroy();
    for (const part of [this.#background, this.#renderer, this.#poster]) part.element.remove();
  }

  #createRenderer(): FrameRenderer {
    // A second loss means that the graphics processor cannot be relied on here.
    const webgl = this.#losses < 2 ? createWebglRenderer(() => this.#handleContextLost()) : null;
    const renderer = webgl ?? createCanvasRenderer() ?? createVideoRenderer();
    fill(renderer.element);
    renderer.element.style.pointerEvents = "none";
    renderer.element.setAttribute("aria-hidden", "true");
    return renderer;
  }

  #handleContextLost(): void {
    this.#losses += 1;
    const lost = this.#renderer;
    this.#renderer = this.#createRenderer();
    lost.element.replaceWith(this.#renderer.element);
    lost.destroy();
    this.#takeFrame();
  }

  #handleResize(): void {
    this.#size = {
      width: Math.round(this.#host.clientWidth * devicePixelRatio),
      height: Math.round(this.#host.clientHeight * devicePixelRatio),
    };
    this.#layOut();
  }

  #handleView(entry: IntersectionObserverEntry | undefined): void {
    this.#inView = entry?.isIntersecting ?? true;
    this.#takeFrame();
  }

  /** Takes and draws the video's present frame, unless nobody could see it. */
  #takeFrame(): void {
    const video = this.#video;
    if (!video?.videoWidth || !this.#inView || document.hidden) return;
    const { videoWidth: width, videoHeight: height } = video;
    this.#frameSize = { width, height };
    this.#renderer.upload(video, parseMatte(this.#options.matte));
    this.#layOut();
    if (!this.#awaitsFirst) return;
    this.#awaitsFirst = false;
    for (const listener of [...this.#firstFrame]) listener();
  }

  #applyOptions(): void {
    const { background, transparent, poster } = this.#options;
    this.#background.setUrl(transparent ? null : background);
    this.#poster.setUrl(poster);
    this.#layOut();
  }

  /** Draws the last frame, and hides the poster with it: both happen before the browser paints. */
  #layOut(): void {
    const rect = this.avatarRect();
    this.#poster.place(rect);
    this.#poster.show(this.#frameSize === null);
    // An empty canvas is not laid out: browsers that draw by software would copy it for every picture of the page.
    this.#renderer.element.style.display = this.#frameSize ? "block" : "none";
    const { width, height } = this.#size;
    if (this.#frameSize && width && height)
      this.#renderer.draw(this.#size, rect, parseMatte(this.#options.matte));
  }
}
