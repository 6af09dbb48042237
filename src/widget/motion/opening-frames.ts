/** A rectangle in CSS pixels of the panel: its own upper left corner is the origin. */
export interface Box {
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
export interface Moment {
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
export function openingFrames(
  ends: Ends,
  steps = 14,
): Record<"panel" | "shade" | "view" | "ring", Keyframe[]> {
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
