import { fill, place } from "./box-style.ts";
import { avatarRect, pictureSize, type Size, type StageRect } from "./stage-geometry.ts";
import type { FrameRenderer } from "./frame-renderer.ts";
import { parseMatte } from "./matte.ts";
import type { Stage, StageOptions } from "./stage.ts";
import { createWebglRenderer } from "./webgl-renderer.ts";

/** A decorative picture in the frame. It is hidden while it has no URL or could not be loaded. */
class StillImage {
  readonly element = document.createElement("img");
  #url: string | null = null;
  #shown = true;

  constructor() {
    this.element.alt = "";
    this.element.setAttribute("aria-hidden", "true");
    this.element.decoding = "async";
    this.element.draggable = false;
    this.element.style.objectFit = "cover";
    this.element.onload = this.element.onerror = () => this.#update();
    fill(this.element);
    this.#update();
  }

  setUrl(url: string | null): void {
    if (url === this.#url) return;
    this.#url = url;
    if (url === null) this.element.removeAttribute("src");
    else this.element.src = url;
    this.#update();
  }

  show(shown: boolean): void {
    this.#shown = shown;
    this.#update();
  }

  place(rect: StageRect): void {
    place(this.element, rect);
  }

  /** Hides a picture that could not be loaded, because the browser would show a broken image. */
  #update(): void {
    const broken = this.element.complete && this.element.naturalWidth === 0;
    this.element.style.display = this.#shown && this.#url !== null && !broken ? "block" : "none";
  }
}

/** Calls `onFrame` for each new frame of a video. The returned function stops the calls. */
function watchFrames(video: HTMLVideoElement, onFrame: () => void): () => void {
  if (!("requestVideoFrameCallback" in video)) return watchByTime(video, onFrame);
  let handle = video.requestVideoFrameCallback(function next() {
    handle = video.requestVideoFrameCallback(next);
    onFrame();
  });
  return () => video.cancelVideoFrameCallback(handle);
}

/** For browsers without frame callbacks: a changed playback time means a new frame. */
function watchByTime(video: HTMLVideoElement, onFrame: () => void): () => void {
  let seenSec = -1;
  let handle = requestAnimationFrame(function next() {
    handle = requestAnimationFrame(next);
    if (video.readyState < HTMLMediaElement.HAVE_CURRENT_DATA || video.currentTime === seenSec) return;
    seenSec = video.currentTime;
    onFrame();
  });
  return () => cancelAnimationFrame(handle);
}

/** The picture size before the first frame. */
const posterSize: Size = { width: 512, height: 512 };
/** Time between attempts to load what draws without WebGL, in ms. */
const loadAgainMs = 2_000;

/** The stage in a page: background, avatar and poster as stacked layers in the host element. */
export class DomStage implements Stage {
  readonly #host: HTMLElement;
  #options: StageOptions;
  readonly #background = new StillImage();
  readonly #poster = new StillImage();
  /**
   * Undefined until a video has a picture: where the avatar is drawn in the page, no context is made for nothing. Null while what draws
   * without WebGL is being loaded.
   */
  #renderer: FrameRenderer | null | undefined;
  #destroyed = false;
  #losses = 0;
  #video: HTMLVideoElement | null = null;
  #stopFrames: (() => void) | null = null;
  /** Size of the last frame; null before the first. */
  #frameSize: Size | null = null;
  #awaitsFirst = false;
  #inView = true;
  #size: Size = { width: 0, height: 0 };
  readonly #firstFrame = new Set<() => void>();
  readonly #resizes = new ResizeObserver(() => this.#handleResize());
  readonly #views = new IntersectionObserver((entries) => this.#handleView(entries.at(-1)));
  readonly #update = (): void => this.#takeFrame();
  onFrame = (draw: () => void): void => draw();

  constructor(host: HTMLElement, options: StageOptions) {
    this.#host = host;
    this.#options = options;
    host.append(this.#background.element, this.#poster.element);
    this.#resizes.observe(host);
    this.#views.observe(host);
    document.addEventListener("visibilitychange", this.#update);
    this.#applyOptions();
  }

  get renderer(): FrameRenderer["kind"] | null {
    return this.#renderer?.kind ?? null;
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
    Object.assign(video.style, { opacity: "0", pointerEvents: "none", width: "1px", height: "1px" });
    video.setAttribute("aria-hidden", "true");
    this.#host.prepend(video);
    this.#awaitsFirst = true;
    // What draws is there before the first frame. Without this video, it does nothing.
    video.addEventListener("loadstart", this.#update);
    this.#stopFrames = watchFrames(video, () => this.onFrame(this.#update));
  }

  detach(): void {
    this.#stopFrames?.();
    this.#stopFrames = null;
    this.#video?.remove();
    this.#video = null;
  }

  use(renderer: FrameRenderer | null, frame: Size | null = null): void {
    this.#renderer?.destroy();
    this.#renderer?.element.remove();
    this.#renderer = undefined;
    this.#frameSize = frame;
    this.#layOut();
    if (renderer) this.#setRenderer(renderer);
    else this.#takeFrame();
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
    document.removeEventListener("visibilitychange", this.#update);
    this.#firstFrame.clear();
    this.#destroyed = true;
    this.#renderer?.destroy();
    for (const part of [this.#background, this.#renderer, this.#poster]) part?.element.remove();
  }

  #makeRenderer(): void {
    // After a second lost context, WebGL is not reliable here.
    const webgl = this.#losses < 2 ? createWebglRenderer(() => this.#handleContextLost()) : null;
    this.#renderer = null;
    if (webgl) this.#setRenderer(webgl);
    else void this.#loadRenderer();
  }

  async #loadRenderer(): Promise<void> {
    try {
      const { createPlainRenderer } = await import("./plain-renderer.ts");
      if (!this.#destroyed && !this.#renderer) this.#setRenderer(createPlainRenderer());
    } catch {
      if (!this.#destroyed) setTimeout(() => void this.#loadRenderer(), loadAgainMs);
    }
  }

  #setRenderer(renderer: FrameRenderer): void {
    const { element } = renderer;
    fill(element);
    element.style.pointerEvents = "none";
    element.setAttribute("aria-hidden", "true");
    this.#poster.element.before(element);
    this.#renderer = renderer;
    this.#takeFrame();
    this.#layOut();
  }

  #handleContextLost(): void {
    this.#losses += 1;
    // The picture is lost too: the poster is shown until the next one is drawn.
    this.use(null);
  }

  #handleResize(): void {
    const scale = devicePixelRatio * (this.#options.scale ?? 1);
    this.#size = {
      width: Math.round(this.#host.clientWidth * scale),
      height: Math.round(this.#host.clientHeight * scale),
    };
    this.#layOut();
  }

  #handleView(entry: IntersectionObserverEntry | undefined): void {
    this.#inView = entry?.isIntersecting ?? true;
    this.#takeFrame();
  }

  /** Uploads and draws the video's current frame, unless the stage is not visible. */
  #takeFrame(): void {
    const video = this.#video;
    const source = video?.srcObject;
    const hasPicture = source instanceof MediaStream ? source.getVideoTracks().length : video?.videoWidth;
    if (this.#renderer === undefined && hasPicture) this.#makeRenderer();
    if (!this.#renderer || !video?.videoWidth || !this.#inView || document.hidden) return;
    const { videoWidth: width, videoHeight: height } = video;
    this.#frameSize = { width, height };
    this.#renderer.upload(video, parseMatte(this.#options.matte));
    this.#layOut();
    if (!this.#awaitsFirst) return;
    this.#awaitsFirst = false;
    this.#firstFrame.forEach((listener) => listener());
  }

  #applyOptions(): void {
    const { background, transparent, poster } = this.#options;
    this.#background.setUrl(transparent ? null : background);
    this.#poster.setUrl(poster);
    this.#handleResize();
  }

  /** Draws the last frame, and hides the poster with it: both happen before the browser paints. */
  #layOut(): void {
    const rect = this.avatarRect();
    const drawn = this.#options.still ? null : this.#frameSize;
    this.#poster.place(rect);
    this.#poster.show(drawn === null);
    if (!this.#renderer) return;
    // An empty canvas is not laid out: browsers with software rendering would copy it for every frame of the page.
    this.#renderer.element.style.display = drawn ? "block" : "none";
    const { width, height } = this.#size;
    if (drawn && width && height) this.#renderer.draw(this.#size, rect, parseMatte(this.#options.matte));
  }
}
