import type { SetPaddings } from "./set-paddings.ts";

/** Where the avatar stands, in the stage's terms. In the widget the top may lie above the frame. */
export interface Framing {
  readonly paddingLeft: number;
  readonly paddingTop: number;
  readonly paddingHeight: number;
}

/** How much of a still's height lies above the top of the head, and above the chin, in the product's characters. */
const crown = 0.125;
const chin = 0.655;

/** The small round picture is 132 px wide. From `nearlyRound` down, a square frame is framed more and more like it. */
const roundWidth = 132;
const nearlyRound = 240;

/**
 * A framing with room above the head, with the chin above the badge, and with the shoulders on the lower edge.
 * Depends on the frame's shape: circle, low and wide, landscape, portrait. Sizes in CSS pixels. An opaque picture, which has a
 * background of its own, reaches the upper edge.
 */
export function defaultFraming(width: number, height: number, isOpaque?: boolean): Framing {
  const aspect = width / Math.max(height, 1);
  const landscape = aspect > 1.15 && height >= 260;
  // A low and wide frame shows the face alone; in a landscape frame the chin stays above the captions.
  const headHeight = aspect > 1.9 && height < 260 ? 0.66 : landscape ? 0.52 : 0.55;
  const room = landscape ? 0.13 : height < 260 ? 0.15 : 0.185;
  const scale = headHeight / (chin - crown);
  const top = Math.min(room - crown * scale, isOpaque ? 0 : 1);
  const square = aspect > 0.8 && aspect < 1.25;
  const near = (nearlyRound - width) / (nearlyRound - roundWidth);
  const round = square ? Math.min(Math.max(near, 0), 1) : 0;
  const paddingTop = top + (-0.08 - top) * round;
  return {
    paddingLeft: 0,
    paddingTop,
    paddingHeight: Math.max(scale + (1.32 - scale) * round, 1 - paddingTop),
  };
}

/** The owner's paddings exactly, if any is set; otherwise the framing that suits the frame. */
export function framingOf(owner: SetPaddings, width: number, height: number, isOpaque?: boolean): Framing {
  const { padding_left: left, padding_top: top, padding_height: scale } = owner;
  if (left === undefined && top === undefined && scale === undefined)
    return defaultFraming(width, height, isOpaque);
  return { paddingLeft: left ?? 0, paddingTop: top ?? 0, paddingHeight: scale ?? 1 };
}
