import { openingFrames, type Box } from "./opening-frames.ts";

const easeWindow = "cubic-bezier(.2,.9,.25,1)";
const easeOut = "cubic-bezier(.16,1,.3,1)";
const openMs = 480;
const closeMs = 320;
const fadeMs = 120;
/** When the controls are shown after the motion has begun, and how long after each other. */
const controlsAtMs = 300;
const controlsApartMs = 30;

/** Plays the motion between launcher and panel: forwards to open, backwards to close. */
export class OpeningPlayer {
  #running: Animation[] = [];
  /** When the panel began to grow out of the launcher; null when it does not. */
  #growsSinceMs: number | null = null;

  /**
   * Opens `shell` out of `launcher`. Resolves when the motion is over or was replaced by another. Without a launcher,
   * or where the visitor wants less motion, it fades in place.
   */
  async open(shell: HTMLElement, launcher: Element | null, reduced: boolean): Promise<void> {
    this.stop();
    if (!("animate" in shell)) return;
    const grows = !reduced && launcher;
    this.#growsSinceMs = grows ? performance.now() : null;
    const motion = grows ? grow(shell, launcher, openMs, "normal") : [fade(shell, "normal")];
    // From here on the style sheets lay out what the motion held in place.
    if (await this.#play(motion)) this.stop();
  }

  /** Closes `shell` into `launcher`, controls first. Resolves with false when another motion has replaced it. */
  async close(shell: HTMLElement, launcher: Element | null, reduced: boolean): Promise<boolean> {
    this.stop();
    this.#growsSinceMs = null;
    if (!("animate" in shell)) return true;
    if (reduced || !launcher) return this.#play([fade(shell, "reverse")]);
    const leaving = controls(shell).map((part) =>
      part.animate({ opacity: [1, 0] }, { duration: 100, fill: "forwards" }),
    );
    return this.#play([...leaving, ...grow(shell, launcher, closeMs, "reverse")]);
  }

  /** Shows the controls from below, one after the other, after the panel's own motion. Late ones are shown at once. */
  showControls(shell: HTMLElement): void {
    if (this.#growsSinceMs === null) return;
    const delay = Math.max(0, controlsAtMs - (performance.now() - this.#growsSinceMs));
    const parts = controls(shell).map((part) => ({ part, rest: getComputedStyle(part).transform }));
    for (const [index, { part, rest }] of parts.entries())
      part.animate(
        { opacity: [0, 1], transform: [rest === "none" ? lowered : `${lowered} ${rest}`, rest] },
        { duration: 160, delay: delay + index * controlsApartMs, easing: easeOut, fill: "backwards" },
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

const lowered = "translateY(8px)";

function fade(shell: HTMLElement, direction: PlaybackDirection): Animation {
  return shell.animate({ opacity: [0, 1] }, { duration: fadeMs, direction, fill: "both" });
}

function controls(shell: HTMLElement): Element[] {
  return [
    ...shell.querySelectorAll(
      ".vv-top,.vv-badge,.vv-overlay,.vv-subtitles,.vv-panel>:not(.vv-window,.vv-top)",
    ),
  ];
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
