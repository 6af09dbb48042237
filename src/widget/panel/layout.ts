import type { Variant } from "../../protocol/embed-config.ts";

/** How the widget sits in the page: a window in the corner, the whole phone, in the text's flow, or the whole frame. */
export type Fit = "window" | "phone" | "inline" | "full";

/** The panel stacks picture, words and dock; the sill gives the picture the whole frame. */
export interface Layout {
  readonly fit: Fit;
  readonly kind: "panel" | "sill";
  /** Words and dock beside the picture: a phone on its side. */
  readonly beside: boolean;
  /** The picture as a porthole in a header, because the height is gone. */
  readonly plain: boolean;
  /** Wide enough for the frame's landscape shape. */
  readonly wide: boolean;
  /** The transcript has a column of its own, open without being asked for. */
  readonly columnOpen: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

const phoneWidth = 480;
const phoneHeight = 440;
const plainHeight = 400;
const columnWidth = 720;
const openColumnWidth = 900;

/**
 * The layout for a variant. Sizes in CSS pixels: `viewport` what the visitor sees of the page (without an on-screen
 * keyboard), `box` the element's own.
 */
export function layoutOf(
  variant: Variant,
  viewport: Size,
  box: Size,
  textOpen: boolean,
  textOnly: boolean,
): Layout {
  if (variant === "bubble") {
    const phone = viewport.width <= phoneWidth || viewport.height <= phoneHeight;
    const beside = phone && viewport.width > viewport.height && viewport.width > phoneWidth && !textOpen;
    const height = phone ? viewport.height : viewport.height - 48;
    const plain = textOnly || (textOpen && height < plainHeight);
    return { fit: phone ? "phone" : "window", kind: "panel", beside, plain, wide: false, columnOpen: false };
  }
  const wide = box.width >= phoneWidth;
  const needed = variant === "fullscreen" ? openColumnWidth : columnWidth;
  const kind = wide && !(textOpen && box.width < needed) && !textOnly ? "sill" : "panel";
  return {
    fit: variant === "inline" ? "inline" : "full",
    kind,
    beside: false,
    plain: textOnly || (textOpen && kind === "panel" && viewport.height < plainHeight),
    wide,
    columnOpen: variant === "fullscreen" && box.width >= openColumnWidth,
  };
}
