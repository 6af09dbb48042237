/** A rectangle in CSS pixels of the panel: its own upper left corner is the origin. */
interface Box {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** Both ends of the motion: the launcher's circle, and the panel with its picture's frame, which has a `mat` around it. */
export interface Ends {
  readonly launcher: Box;
  readonly panel: { readonly width: number; readonly height: number; readonly radius: number };
  readonly frame: Box & { readonly radius: number };
  readonly mat: number;
}

/** One moment of the motion: the shapes of the panel and of the frame in it, and place and scale of the picture. */
interface Moment {
  readonly panel: Box & { readonly radius: number };
  readonly frame: Box & { readonly radius: number };
  readonly ringGap: number;
  readonly scale: number;
  readonly left: number;
  readonly top: number;
}

const launcherMat = 7;
/** In the launcher: the picture's height, and how much of it is hidden above the circle, in heights of the circle. */
const portraitScale = 1.49;
const portraitRise = 0.335;

const between = (from: number, to: number, part: number) => from + (to - from) * part;
const clamp = (value: number, low: number, high: number) => Math.min(Math.max(value, low), high);

/** The motion at `part` (0 is the launcher, 1 the panel). The picture keeps its shape and always fills the frame. */
export function momentAt({ launcher, panel, frame, mat }: Ends, part: number): Moment {
  const box: Box = {
    left: between(launcher.left, 0, part),
    top: between(launcher.top, 0, part),
    width: between(launcher.width, panel.width, part),
    height: between(launcher.height, panel.height, part),
  };
  const round = (radius: number, { width, height }: Box) =>
    between(radius, Math.min(width, height) / 2, (1 - part) ** 2);
  const edge = between(launcherMat, mat, part);
  // The mat has the same width on all sides until the caption bar's room opens below the picture.
  const opened = clamp((part - 0.45) / 0.55, 0, 1) ** 1.5;
  const gap = (final: number) => between(edge, final, opened);
  const hole: Box = {
    left: box.left + gap(frame.left),
    top: box.top + gap(frame.top),
    width: box.width - gap(frame.left) - gap(panel.width - frame.left - frame.width),
    height: box.height - gap(frame.top) - gap(panel.height - frame.top - frame.height),
  };
  const smallest = ((launcher.height - 2 * launcherMat) * portraitScale) / frame.height;
  const scale = Math.max(between(smallest, 1, part), hole.width / frame.width, hole.height / frame.height);
  const rise = between(portraitRise * hole.height, 0, part);
  return {
    panel: { ...box, radius: round(panel.radius, box) },
    frame: { ...hole, radius: Math.max(round(frame.radius, hole), 0) },
    ringGap: edge / 2,
    scale,
    left: hole.left + (hole.width - frame.width * scale) / 2,
    top: hole.top - clamp(rise, 0, frame.height * scale - hole.height),
  };
}

const px = (value: number) => `${Math.round(value * 100) / 100}px`;

/** Key frames of the motion for the panel, the shade under it, the picture and the ring, evenly spaced. */
function openingFrames(ends: Ends, steps = 14): Record<"panel" | "shade" | "view" | "ring", Keyframe[]> {
  const moments = Array.from({ length: steps + 1 }, (_, step) => momentAt(ends, step / steps));
  const { panel, frame } = ends;
  const hole = (inner: Box & { radius: number }, outer: { width: number; height: number }) =>
    `inset(${px(inner.top)} ${px(outer.width - inner.left - inner.width)} ` +
    `${px(outer.height - inner.top - inner.height)} ${px(inner.left)} round ${px(inner.radius)})`;
  return {
    panel: moments.map(({ panel: box }) => ({ clipPath: hole(box, panel) })),
    shade: moments.map(({ panel: box }, step) => {
      const [x, y] = [box.width / panel.width, box.height / panel.height];
      return {
        opacity: clamp(step / steps, 0.4, 1),
        transform: `translate(${px(box.left)},${px(box.top)}) scale(${x},${y})`,
        borderRadius: `${px(box.radius / x)} / ${px(box.radius / y)}`,
      };
    }),
    view: moments.map(({ frame: box, scale, left, top }) => ({
      transform: `translate(${px(left - frame.left)},${px(top - frame.top)}) scale(${scale})`,
      clipPath: hole(
        {
          left: (box.left - left) / scale,
          top: (box.top - top) / scale,
          width: box.width / scale,
          height: box.height / scale,
          radius: box.radius / scale,
        },
        frame,
      ),
    })),
    ring: moments.map(({ frame: box, ringGap }) => ({
      x: px(box.left - frame.left + ends.mat - ringGap),
      y: px(box.top - frame.top + ends.mat - ringGap),
      width: px(box.width + 2 * ringGap),
      height: px(box.height + 2 * ringGap),
      rx: px(box.radius + ringGap),
    })),
  };
}

const easeWindow = "cubic-bezier(.2,.9,.25,1)";
const openMs = 480;
const closeMs = 320;
const fadeMs = 120;

/** Plays the motion between launcher and panel: forwards to open, backwards to close. */
export class OpeningPlayer {
  #running: Animation[] = [];
  /** When the panel began to grow out of the launcher; null when it does not. */
  growsSinceMs: number | null = null;

  /**
   * Opens `shell` out of `launcher`. Resolves when the motion is over or was replaced by another. Without a launcher,
   * or where the visitor wants less motion, it fades in place.
   */
  async open(shell: HTMLElement, launcher: Element | null, reduced: boolean): Promise<void> {
    this.stop();
    if (!("animate" in shell)) return;
    const grows = !reduced && launcher;
    this.growsSinceMs = grows ? performance.now() : null;
    const motion = grows ? grow(shell, launcher, openMs, "normal") : [fade(shell, "normal")];
    // From here on the style sheets lay out what the motion held in place.
    if (await this.#play(motion)) this.stop();
  }

  /**
   * Closes `shell` into `launcher`; `hide` fades the controls out first. Resolves with false when another motion has replaced it.
   */
  async close(
    shell: HTMLElement,
    launcher: Element | null,
    reduced: boolean,
    hide?: (shell: HTMLElement) => Animation[],
  ): Promise<boolean> {
    this.stop();
    this.growsSinceMs = null;
    if (!("animate" in shell)) return true;
    return this.#play(
      reduced || !launcher
        ? [fade(shell, "reverse")]
        : [...(hide?.(shell) ?? []), ...grow(shell, launcher, closeMs, "reverse")],
    );
  }

  stop(): void {
    for (const animation of this.#running) animation.cancel();
    this.#running = [];
  }

  async #play(animations: Animation[]): Promise<boolean> {
    this.#running = animations;
    const ended = await Promise.allSettled(animations.map(({ finished }) => finished));
    return this.#running === animations && ended.every(({ status }) => status === "fulfilled");
  }
}

function fade(shell: HTMLElement, direction: PlaybackDirection): Animation {
  return shell.animate({ opacity: [0, 1] }, { duration: fadeMs, direction, fill: "both" });
}

function grow(
  shell: HTMLElement,
  launcher: Element,
  duration: number,
  direction: PlaybackDirection,
): Animation[] {
  const panel = shell.querySelector<HTMLElement>(".vv-panel");
  const frame = shell.querySelector<HTMLElement>(".vv-panel>.vv-window");
  const view = frame?.querySelector(".vv-view");
  const shade = shell.querySelector(".vv-shade");
  if (!panel || !frame || !view) return [fade(shell, direction)];
  const origin = panel.getBoundingClientRect();
  const style = getComputedStyle(panel);
  const frames = openingFrames({
    launcher: within(launcher.getBoundingClientRect(), origin),
    panel: { width: origin.width, height: origin.height, radius: parseFloat(style.borderTopLeftRadius) },
    frame: {
      left: frame.offsetLeft,
      top: frame.offsetTop,
      width: frame.offsetWidth,
      height: frame.offsetHeight,
      radius: parseFloat(getComputedStyle(view).borderTopLeftRadius),
    },
    mat: parseFloat(style.getPropertyValue("--visavis-mat-width")) || 10,
  });
  // The ring starts with the launcher's colours. Both colours are given as computed: Chromium draws a derived colour's
  // variable, and a stroke without a last key frame, in black.
  const accent = shade ? getComputedStyle(shade).color : "currentColor";
  const timing: KeyframeAnimationOptions = { duration, direction, easing: easeWindow, fill: "both" };
  // Browsers run some of these on a thread of their own, where they would be ahead of the others while the page is busy: the picture
  // would leave its frame. The outline, which is never seen, is a property of the page's thread, and keeps them together. It has to change:
  // what stays does not count.
  const move = (target: Element | null, keyframes: Keyframe[]) =>
    target?.animate(
      keyframes.map((keyframe, step) => ({
        ...keyframe,
        transformOrigin: "0 0",
        outlineOffset: `${step}px`,
      })),
      timing,
    );
  return [
    move(panel, frames.panel),
    move(shade, frames.shade),
    move(view, frames.view),
    ...[...frame.querySelectorAll(".vv-ring rect")].map((outline) => {
      const { stroke, strokeWidth } = getComputedStyle(outline);
      const [first, last] = outline.matches(".t")
        ? [
            { stroke: accent, strokeWidth: "2px" },
            { stroke, strokeWidth },
          ]
        : [{ opacity: 0 }, { opacity: 1 }];
      return move(outline, [
        { ...frames.ring[0], ...first },
        ...frames.ring.slice(1, -1),
        { ...frames.ring.at(-1), ...last },
      ]);
    }),
  ].filter((animation) => animation !== undefined);
}

/** The launcher's circle in the panel's coordinates, kept inside it when the launcher is partly off the screen. */
function within(circle: DOMRect, panel: DOMRect): Box {
  const size = circle.width || 72;
  const inside = (value: number, limit: number) => Math.min(Math.max(value, 0), Math.max(limit - size, 0));
  return {
    left: inside(circle.left - panel.left, panel.width),
    top: inside(circle.top - panel.top, panel.height),
    width: size,
    height: size,
  };
}
