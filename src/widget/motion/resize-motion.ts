/** Shape and place of the picture's frame. Sizes in CSS pixels. */
export interface FrameShape {
  readonly width: number;
  readonly height: number;
  readonly marginTop: number;
  readonly radius: number;
}

const durationMs = 360;
const easing = "cubic-bezier(.3,0,.2,1)";

/** The present shape of a frame, or null when it is not shown. */
export function shapeOf(frame: HTMLElement | null): FrameShape | null {
  if (!frame?.offsetHeight) return null;
  const { marginTop, borderTopLeftRadius } = getComputedStyle(frame);
  return {
    width: frame.offsetWidth,
    height: frame.offsetHeight,
    marginTop: parseFloat(marginTop) || 0,
    radius: borderTopLeftRadius.endsWith("%") ? frame.offsetHeight / 2 : parseFloat(borderTopLeftRadius) || 0,
  };
}

/**
 * Animates a frame from the shape that it had to its present one, with its ring, while new content below it fades in. The
 * picture is framed again at every size, so that the face moves as one.
 */
export function playResize(frame: HTMLElement, before: FrameShape): void {
  const now = shapeOf(frame);
  if (!now || !("animate" in frame)) return;
  const same = Math.abs(now.height - before.height) < 2 && Math.abs(now.width - before.width) < 2;
  if (same || Math.abs(now.width - before.width) > before.width) return;
  const timing = { duration: durationMs, easing };
  const keyframe = ({ width, height, marginTop, radius }: FrameShape): Keyframe => ({
    flex: "none",
    alignSelf: "center",
    width: `${width}px`,
    height: `${height}px`,
    marginTop: `${marginTop}px`,
    borderRadius: `${radius}px`,
  });
  frame.animate([keyframe(before), keyframe(now)], timing);
  const corner = (shape: FrameShape) => ({ rx: `${shape.radius + 5}px` });
  for (const outline of frame.querySelectorAll(".vv-ring rect"))
    outline.animate([corner(before), corner(now)], timing);
  frame.nextElementSibling?.animate({ opacity: [0, 1] }, { duration: 160, delay: 80, fill: "backwards" });
}
