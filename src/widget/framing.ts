import type { Paddings } from "../protocol/stage-settings.ts";

/** Where the avatar stands, in the stage's terms. Inside the widget the top may lie above the frame. */
export interface Framing {
  readonly paddingLeft: number;
  readonly paddingTop: number;
  readonly paddingHeight: number;
}

/** How much of a still's height lies above the crown, and above the chin: a bust drawn to the house rules. */
const crown = 0.125;
const chin = 0.655;

/**
 * A framing that leaves head room, keeps the chin clear of the nameplate and lets the shoulders meet the lower edge.
 * By the frame's own shape: porthole, band, landscape, portrait. Sizes in CSS pixels.
 */
export function defaultFraming(width: number, height: number, round: boolean): Framing {
  if (round) return { paddingLeft: 0, paddingTop: -0.08, paddingHeight: 1.32 };
  const aspect = width / Math.max(height, 1);
  const landscape = aspect > 1.15 && height >= 260;
  // A band is all face; in a landscape frame the chin stays above the captions on their plate.
  const headHeight = aspect > 1.9 && height < 260 ? 0.66 : landscape ? 0.52 : 0.55;
  const room = landscape ? 0.13 : height < 260 ? 0.15 : 0.185;
  const scale = headHeight / (chin - crown);
  const top = room - crown * scale;
  return { paddingLeft: 0, paddingTop: top, paddingHeight: Math.max(scale, 1 - top) };
}

/** The owner's paddings exactly, where any was set; else the framing that suits the frame. */
export function framingOf(owner: Partial<Paddings>, width: number, height: number, round: boolean): Framing {
  const { padding_left: left, padding_top: top, padding_height: scale } = owner;
  if (left === undefined && top === undefined && scale === undefined)
    return defaultFraming(width, height, round);
  return { paddingLeft: left ?? 0, paddingTop: top ?? 0, paddingHeight: scale ?? 1 };
}
