import type { Stage } from "../../stage/index.ts";
import { hasPeers } from "../../client/session-mode.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { SessionController } from "../session/session-controller.ts";

/** How a picture is drawn. */
interface Quality {
  readonly name: "full" | "fewer-frames" | "half-size" | "still";
  /** At most so many frames are drawn in a second. 0: none. */
  readonly framesPerSec: number;
  /** Pixels of the picture for each pixel of the screen. */
  readonly scale: number;
}

/** From the best to the cheapest. */
const qualities: readonly [Quality, ...Quality[]] = [
  { name: "full", framesPerSec: 25, scale: 1 },
  { name: "fewer-frames", framesPerSec: 15, scale: 1 },
  { name: "half-size", framesPerSec: 15, scale: 0.5 },
  { name: "still", framesPerSec: 0, scale: 0.5 },
];

/** Time over which costs are summed up, in ms. */
const windowMs = 2_000;
/** The share of the main thread that the frames may take. A better quality is tried when it would take less than the second. */
const tooMuch = 0.4;
const little = 0.28;
/** After so many windows in a row the quality goes down, or up. */
const windowsDown = 2;
const windowsUp = 3;
/** After this time the still picture moves again. Each attempt that fails doubles it, up to the second. */
const retryMs = 30_000;
const retryMaxMs = 240_000;

/** Chooses the quality by what the frames cost. Times in ms, on any clock that does not jump. */
export class FrameBudget {
  #level = 0;
  #startMs = Number.NaN;
  #costMs = 0;
  #dear = 0;
  #cheap = 0;
  #dueMs = 0;
  #retryMs = retryMs;

  get quality(): Quality {
    return qualities[this.#level] ?? qualities[0];
  }

  /** How long the picture stays still before it is tried again; null if it is not still. */
  get pauseMs(): number | null {
    return this.quality.framesPerSec ? null : this.#retryMs;
  }

  /** Whether to draw a frame that arrives now. Frames do not arrive evenly, so one may come a little early. */
  isDue(nowMs: number): boolean {
    const { framesPerSec } = this.quality;
    if (!framesPerSec) return false;
    if (!this.#level) return true;
    const gapMs = 1_000 / framesPerSec;
    if (nowMs < this.#dueMs - gapMs / 6) return false;
    this.#dueMs = Math.max(this.#dueMs + gapMs, nowMs);
    return true;
  }

  /** Adds the cost of a frame that was drawn until now. Returns whether the quality has changed. */
  add(costMs: number, nowMs: number): boolean {
    const elapsedMs = nowMs - this.#startMs;
    // Without frames for long, the page was hidden or the connection interrupted: nothing follows from that.
    if (!(elapsedMs < 2 * windowMs)) {
      this.#begin(nowMs);
      return false;
    }
    this.#costMs += costMs;
    if (elapsedMs < windowMs) return false;
    const share = this.#costMs / elapsedMs;
    this.#begin(nowMs);
    return this.#judge(share);
  }

  /** The still picture moves again. */
  retry(): void {
    this.#retryMs = Math.min(this.#retryMs * 2, retryMaxMs);
    this.#move(-1);
  }

  #begin(nowMs: number): void {
    this.#startMs = nowMs;
    this.#costMs = 0;
  }

  #judge(share: number): boolean {
    this.#dear = share > tooMuch ? this.#dear + 1 : 0;
    this.#cheap = share * this.#costOfBetter() < little ? this.#cheap + 1 : 0;
    if (this.#dear >= windowsDown) return this.#move(1);
    if (this.#cheap < windowsUp) return false;
    this.#retryMs = retryMs;
    return this.#level > 0 && this.#move(-1);
  }

  /** How many times as much the next better quality costs. */
  #costOfBetter(): number {
    const better = qualities[this.#level - 1];
    if (!better) return 1;
    const { framesPerSec, scale } = this.quality;
    return (better.framesPerSec / framesPerSec) * (better.scale / scale) ** 2;
  }

  #move(by: 1 | -1): true {
    this.#level += by;
    this.#dear = this.#cheap = 0;
    this.#startMs = Number.NaN;
    return true;
  }
}

/** What the quality changes besides the stage. */
interface PictureOutlet {
  /** Pixels of the video for each pixel of the screen. */
  setScale(scale: number): void;
}

/**
 * Draws fewer and smaller frames, and finally none, where drawing them takes too much of the page's time; and more again when there
 * is room. The host's attribute `data-picture` names a quality that is not the full one. Comes with the controls.
 */
class PictureQuality {
  readonly #budget = new FrameBudget();
  readonly #host: HTMLElement;
  readonly #stage: Stage;
  readonly #outlet: PictureOutlet;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: HTMLElement, stage: Stage, outlet: PictureOutlet) {
    this.#host = host;
    this.#stage = stage;
    this.#outlet = outlet;
    stage.onFrame = (draw) => {
      const startMs = performance.now();
      if (!this.#budget.isDue(startMs)) return;
      draw();
      const nowMs = performance.now();
      if (this.#budget.add(nowMs - startMs, nowMs)) this.#apply();
    };
  }

  /** Draws again as many pixels as the screen has now. */
  refresh(): void {
    this.#outlet.setScale(this.#budget.quality.scale);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#host.removeAttribute("data-picture");
  }

  #apply(): void {
    const { quality, pauseMs } = this.#budget;
    const { name, scale } = quality;
    if (name === "full") this.#host.removeAttribute("data-picture");
    else this.#host.setAttribute("data-picture", name);
    this.#stage.setOptions({ scale, still: name === "still" });
    this.#outlet.setScale(scale);
    // The same switch as for the client's log.
    // eslint-disable-next-line no-console -- the parameter is there to write to the console
    if (/[?&]visavis-debug\b/.test(location.search)) console.debug(`[visavis] picture: ${name}`);
    if (pauseMs !== null)
      this.#timer = setTimeout(() => {
        this.#budget.retry();
        this.#apply();
      }, pauseMs);
  }
}

/**
 * Calls back when each CSS pixel has another number of the screen's pixels: the visitor has zoomed, or moved the window to another
 * screen. Elements of a fixed size keep their size then, so nothing else tells. Returns what ends that.
 */
export function watchPixelRatio(handle: () => void): () => void {
  let stop: () => void;
  const watch = (): void => {
    const query = matchMedia(`(resolution: ${devicePixelRatio}dppx)`);
    query.addEventListener("change", change);
    stop = () => query.removeEventListener("change", change);
  };
  const change = (): void => {
    stop();
    watch();
    handle();
  };
  watch();
  return () => stop();
}

/** What a visitor does who is about to begin a conversation. */
const intents = ["pointerover", "pointerdown", "focus"] as const;

/**
 * Adapts the picture to the page until it is stopped: how well it is drawn, and by whom, once there is a session or the visitor
 * reaches for it. Comes with the controls.
 */
export function adaptPicture(
  host: PanelHost,
  stage: Stage,
  session: SessionController,
  outlet: PictureOutlet,
): { stop(): void } {
  const quality = new PictureQuality(host, stage, outlet);
  const stopWatching = watchPixelRatio(() => quality.refresh());
  const watch = { hostUpdated: () => session.isBusy && choose() };
  const choose = (): void => {
    // Without a peer connection nobody else can draw.
    const isOnlyWay = !hasPeers() || session.current?.connection?.link.peerConnection === null;
    if ((session.drawer === "remote" && !isOnlyWay) || !session.context) return;
    stop();
    // If that cannot be loaded, it is tried again with the next change.
    import("../drawing/drawing-choice.ts").then(
      ({ chooseDrawing }) => chooseDrawing(host, stage, session),
      start,
    );
  };
  function start(): void {
    for (const intent of intents) host.addEventListener(intent, choose);
    host.addController(watch);
  }
  function stop(): void {
    for (const intent of intents) host.removeEventListener(intent, choose);
    host.removeController(watch);
  }
  start();
  return {
    stop() {
      stop();
      stopWatching();
      quality.stop();
    },
  };
}
