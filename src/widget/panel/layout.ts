import { variants, type Variant, type VariantTraits } from "../../protocol/settings/variant.ts";

/** The panel's box in the style sheets: that of its variant, or the whole screen of a phone. */
export type Fit = (typeof variants)[Variant]["fit"] | "phone";

/** How the panel is laid out. */
export interface Layout {
  readonly fit: Fit;
  /** `stacked`: picture, caption bar and controls one under the other. `overlay`: the picture fills the panel. */
  readonly kind: "stacked" | "overlay";
  /** Caption bar and controls beside the picture: a phone in landscape. */
  readonly beside: boolean;
  /** The picture is a small circle in a header, because there is no height for more. */
  readonly plain: boolean;
  /** Wide enough for the landscape shape. */
  readonly wide: boolean;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The element's own size. */
export interface Box extends Size {
  /** How large the visitor's browser shows texts: 16 where nobody has changed it. */
  readonly fontSize: number;
}

const phoneWidth = 480;
const phoneHeight = 440;
const plainHeight = 400;
const windowMargins = 48;

/** Whether the transcript is open beside the picture before the visitor asks for it. `box` is the element's own size. */
export function opensColumn(variant: Variant, box: Size): boolean {
  const { columnOpen, columnFrom = Infinity }: VariantTraits = variants[variant];
  return columnOpen === true && box.width >= columnFrom;
}

/**
 * The layout of a variant. Sizes in CSS pixels: `viewport` is what the visitor sees of the page (without an on-screen
 * keyboard). On a full screen, large texts are shown on the picture only where it is so wide that they leave the face free.
 */
export function layoutOf(
  variant: Variant,
  viewport: Size,
  box: Box,
  textOpen: boolean,
  textOnly: boolean,
): Layout {
  const traits: VariantTraits = variants[variant];
  const { overlayFrom = Infinity, columnFrom = Infinity } = traits;
  const small = viewport.width <= phoneWidth || viewport.height <= phoneHeight;
  const phone = traits.fillsPhone === true && small;
  const wide = box.width >= overlayFrom;
  // An element in the text has no height for captions below the picture.
  const scale = traits.leaves ? box.fontSize / 16 : 1;
  const overlay = box.width >= overlayFrom * scale && !textOnly && !(textOpen && box.width < columnFrom);
  const height = viewport.height - (traits.floating && !phone ? windowMargins : 0);
  return {
    fit: phone ? "phone" : variants[variant].fit,
    kind: overlay ? "overlay" : "stacked",
    beside: phone && viewport.width > viewport.height && viewport.width > phoneWidth && !textOpen,
    plain: textOnly || (textOpen && !overlay && height < plainHeight),
    wide,
  };
}
