/** How a variant behaves. Sizes are widths of the element's box in CSS pixels. A missing trait does not apply. */
export interface VariantTraits {
  /** The value of `data-fit` in the style sheets, which define its box. */
  readonly fit: string;
  /** It opens from a launcher, as a dialog over the page. Otherwise it is a region of the page. */
  readonly floating?: boolean;
  /** On a phone the dialog is modal and fills the screen (`data-fit="phone"`). */
  readonly fillsPhone?: boolean;
  /** It has no background unless the owner or the page sets one. */
  readonly transparent?: boolean;
  /** From this width on, the controls are on the picture. On a narrower box they are below it. */
  readonly overlayFrom?: number;
  /** From this width on, there is room for the transcript beside the picture. */
  readonly columnFrom?: number;
  /** If there is room beside the picture, the transcript is open from the start. */
  readonly columnOpen?: boolean;
  /** As a child of the body it has a button that leaves it: its launcher, which opens it again, is all that stays. */
  readonly leaves?: boolean;
  /**
   * Nothing is above the picture, and its bar has only what talks, writes and puts it away. What needs more room (pages, menus, the
   * transcript) is shown as in the default variant. The value names its style sheet, a view that is loaded for it alone.
   */
  readonly small?: "compact";
  /** Captions stay on the picture while the transcript is open beside it. */
  readonly captionsBesideColumn?: boolean;
}

/**
 * The variants of the element and all their differences. To add a variant, add a row here and its rules for `data-fit` in
 * the widget's style sheets.
 */
export const variants = {
  bubble: { fit: "window", floating: true, fillsPhone: true },
  inline: { fit: "inline", overlayFrom: 480, columnFrom: 720 },
  fullscreen: {
    fit: "full",
    leaves: true,
    overlayFrom: 480,
    columnFrom: 900,
    columnOpen: true,
    captionsBesideColumn: true,
  },
  compact: {
    fit: "compact",
    floating: true,
    transparent: true,
    overlayFrom: 0,
    small: "compact",
  },
} as const satisfies Record<string, VariantTraits>;

export type Variant = keyof typeof variants;

export const defaultVariant: Variant = "bubble";

/** The variant with this name; the default for any other. */
export function chosenVariant(name: string | null | undefined): Variant {
  const isKnown = (known: string): known is Variant => Object.hasOwn(variants, known);
  return name != null && isKnown(name) ? name : defaultVariant;
}
