import type { Paddings } from "../../protocol/stage-settings.ts";

/** Where the avatar stands, in the stage's terms. Inside the widget the top may lie above the frame. */
export interface Framing {
  readonly paddingLeft: number;
  readonly paddingTop: number;
  readonly paddingHeight: number;
}

/** How much of a still's height lies above the crown, and above the chin: a bust drawn to the house rules. */
const crown = 0.125;
const chin = 0.655;

/** A window at rest as a porthole is 132 px wide; from this width down a square one takes on its framing. */
const portholeWidth = 132;
const nearlyPorthole = 240;

/**
 * A framing that leaves head room, keeps the chin clear of the nameplate and lets the shoulders meet the lower edge.
 * By the frame's own shape: porthole, band, landscape, portrait. Sizes in CSS pixels.
 */
export function defaultFraming(width: number, height: number): Framing {
  const aspect = width / Math.max(height, 1);
  const landscape = aspect > 1.15 && height >= 260;
  // A band is all face; in a landscape frame the chin stays above the captions on their plate.
  const headHeight = aspect > 1.9 && height < 260 ? 0.66 : landscape ? 0.52 : 0.55;
  const room = landscape ? 0.13 : height < 260 ? 0.15 : 0.185;
  const scale = headHeight / (chin - crown);
  const top = room - crown * scale;
  const square = aspect > 0.8 && aspect < 1.25;
  const near = (nearlyPorthole - width) / (nearlyPorthole - portholeWidth);
  const round = square ? Math.min(Math.max(near, 0), 1) : 0;
  const paddingTop = top + (-0.08 - top) * round;
  return {
    paddingLeft: 0,
    paddingTop,
    paddingHeight: Math.max(scale + (1.32 - scale) * round, 1 - paddingTop),
  };
}

/** Paddings by name; what was not set is left out. */
export type SetPaddings = { readonly [Name in keyof Paddings]?: number | undefined };

const ranges = { "padding-left": [-1, 1], "padding-top": [0, 1], "padding-height": [0, 5] } as const;

/** The attributes that set paddings in the page, each in the place of the context's. */
export const paddingAttributes = Object.keys(ranges);

/** The paddings that an element's attributes set; what is no number in the context's range is passed over. */
export function paddingsOf(element: Pick<Element, "getAttribute">): SetPaddings {
  const set = Object.entries(ranges).flatMap(([name, [least, most]]) => {
    const text = element.getAttribute(name)?.trim();
    const value = text ? Number(text) : Number.NaN;
    return value >= least && value <= most ? [[name.replace("-", "_"), value]] : [];
  });
  return Object.fromEntries(set) as SetPaddings;
}

/** The owner's paddings exactly, where any was set; else the framing that suits the frame. */
export function framingOf(owner: SetPaddings, width: number, height: number): Framing {
  const { padding_left: left, padding_top: top, padding_height: scale } = owner;
  if (left === undefined && top === undefined && scale === undefined) return defaultFraming(width, height);
  return { paddingLeft: left ?? 0, paddingTop: top ?? 0, paddingHeight: scale ?? 1 };
}
