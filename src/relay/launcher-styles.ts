import type { Variant } from "../protocol/variant.ts";

/*
 * The loader's own style sheet (embed/loader.css) has what all launchers share. What follows comes with the record, so that none
 * carries the look of another.
 */

/**
 * Where a launcher in a corner stands. The owner chooses the corner, not the language: the box's direction follows its side, so
 * that the label slides out towards the page, and its texts have their own direction.
 */
const corner =
  ".vv-launch[data-place$=left]{--x:-1;direction:rtl;left:24px;right:auto}" +
  ".vv-launch[data-place^=top]{top:24px;bottom:auto}" +
  ".vv-launch[data-place$=center]{right:calc(50% - 36px)}" +
  ".vv-launch[data-place^=center]{bottom:calc(50% - 36px)}";

/** The ring is brighter under the pointer. In the dark the loader says how bright, and everywhere the maximum chroma. */
const ring =
  ".vv-launcher:is(:hover,:focus-visible) .vv-window{outline-offset:1.5px;" +
  "outline:4px solid oklch(from var(--visavis-brand) var(--b,.56) min(c*1.15,var(--c)) h)}";

/** A launcher in a corner: its label slides out towards the page, and it can be put away. `--x`: 1 on the right, -1 on the left. */
const bubble =
  corner +
  ".vv-launch{--x:1;transition:transform .22s}" +
  ".vv-launch[data-hidden]{transform:translate(calc(var(--x)*52px))}" +
  ".vv-launch[data-hidden][data-place$=center]{transform:translateY(52px)}" +
  // The outline is seen where colours are forced.
  ".vv-label{outline:2px solid #0000;font-size:.9375em;z-index:-1;display:grid;margin-inline-end:-36px;padding:10px 22px;" +
  "padding-inline-end:54px;border-radius:28px;background:var(--visavis-mat);box-shadow:var(--s);opacity:0;" +
  // Nothing else: its visibility would stay for that long on the panel, which opens behind it.
  "transform:translate(calc(var(--x)*8px));transition:opacity .22s,transform .22s}" +
  ".vv-label span{font-size:.9em;color:var(--visavis-ink-2)}" +
  ".vv-launch:not([data-hidden]):is(:hover,:has(:focus-visible)) .vv-label{opacity:1;transform:none;pointer-events:auto}" +
  "@media (prefers-reduced-motion){.vv-launch,.vv-label{transition:none}}";

/** A launcher that is a frame in the page. */
const frame =
  // In a grid, a table or a float a phone has no room for the 400 px that the loader asks for.
  ":host([variant=inline]){contain-intrinsic-width:min(400px,80vw)}" +
  ".vv-launch:has(~.vv>*){display:none}" +
  ".vv-launch .vv-launcher{border-radius:32px;width:100%;height:100%;position:absolute;inset:0}" +
  ".vv-launcher .vv-window{inset:10px 10px 62px}" +
  ".vv-launch .vv-label{background:var(--visavis-accent);color:var(--visavis-mat);z-index:1;border-radius:28px;" +
  "margin-bottom:36px;padding:14px 24px}" +
  ".vv-launch .vv-label span{display:none}" +
  "@media (forced-colors:active){.vv-launcher{border:1px solid}}";

/** Nobody can talk with a sheet of paper. */
const printed = "@media print{.vv-launch{display:none}}";

/** What completes the style sheet of a launcher: the owner's colour, which has been validated, and the look of its variant. */
export function launcherStyles(variant: Variant, brandColor: string | undefined): string {
  return (
    (brandColor ? `:host{--visavis-brand:${brandColor}}` : "") +
    ring +
    (variant === "inline" ? frame : bubble) +
    printed
  );
}
