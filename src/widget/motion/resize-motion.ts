/** The window's place before and after a change of what stands under it. Sizes in CSS pixels. */
export interface WindowShape {
  readonly width: number;
  readonly height: number;
  readonly marginTop: number;
  readonly radius: number;
}

const durationMs = 360;
const easing = "cubic-bezier(.3,0,.2,1)";

/** The present shape of a window, or null where it is not shown. */
export function shapeOf(window: HTMLElement | null): WindowShape | null {
  if (!window?.offsetHeight) return null;
  const { marginTop, borderTopLeftRadius } = getComputedStyle(window);
  return {
    width: window.offsetWidth,
    height: window.offsetHeight,
    marginTop: parseFloat(marginTop) || 0,
    radius: borderTopLeftRadius.endsWith("%")
      ? window.offsetHeight / 2
      : parseFloat(borderTopLeftRadius) || 0,
  };
}

/**
 * Lets a window grow or shrink from the shape it had, its picture and ring with it, while what is new under it fades
 * in. The picture is framed anew at every size, so that the face moves as one.
 */
export function playResize(window: HTMLElement, before: WindowShape): void {
  const now = shapeOf(window);
  if (!now || !("animate" in window)) return;
  const same = Math.abs(now.height - before.height) < 2 && Math.abs(now.width - before.width) < 2;
  if (same || Math.abs(now.width - before.width) > before.width) return;
  const timing = { duration: durationMs, easing };
  const frame = ({ width, height, marginTop, radius }: WindowShape): Keyframe => ({
    flex: "none",
    alignSelf: "center",
    width: `${width}px`,
    height: `${height}px`,
    marginTop: `${marginTop}px`,
    borderRadius: `${radius}px`,
  });
  window.animate([frame(before), frame(now)], timing);
  const gap = (shape: WindowShape) => ({ rx: `${shape.radius + 5}px` });
  for (const outline of window.querySelectorAll(".vv-ring rect"))
    outline.animate([gap(before), gap(now)], timing);
  window.nextElementSibling?.animate({ opacity: [0, 1] }, { duration: 160, delay: 80, fill: "backwards" });
}
