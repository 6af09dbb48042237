/** How a variant behaves. Sizes are widths of the element's box in CSS pixels; what is left out does not apply. */
export interface VariantTraits {
  /** Its box in the style sheets: `data-fit`. */
  readonly fit: string;
  /** It opens from a launcher, as a dialog over the page. Otherwise it is a region of the page. */
  readonly floating?: boolean;
  /** On a phone the dialog is modal and fills the screen (`data-fit="phone"`). */
  readonly fillsPhone?: boolean;
  /** It has no background unless the owner or the page gives it one. */
  readonly transparent?: boolean;
  /** From this width on, the controls lie over the picture. Below it they stand under it. */
  readonly overlayFrom?: number;
  /** From this width on, the transcript has room beside the picture. */
  readonly columnFrom?: number;
  /** Where the transcript has room, it is open from the start. */
  readonly columnOpen?: boolean;
  /** Captions stay on the picture while the transcript is open beside it. */
  readonly captionsBesideColumn?: boolean;
}

/**
 * The variants of the element and all that sets them apart. A new variant is a row here, and its rules for `data-fit`
 * in the widget's style sheets.
 */
export const variants = {
  bubble: { fit: "window", floating: true, fillsPhone: true },
  inline: { fit: "inline", overlayFrom: 480, columnFrom: 720 },
  fullscreen: {
    fit: "full",
    overlayFrom: 480,
    columnFrom: 900,
    columnOpen: true,
    captionsBesideColumn: true,
  },
} as const satisfies Record<string, VariantTraits>;

export type Variant = keyof typeof variants;

export const defaultVariant: Variant = "bubble";

/** The variant of this name, if there is one. */
export function isVariant(name: string | null | undefined): name is Variant {
  return name != null && Object.hasOwn(variants, name);
}
