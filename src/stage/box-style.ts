import type { StageRect } from "./stage-geometry.ts";

export type Style = Partial<
  Pick<
    CSSStyleDeclaration,
    "position" | "opacity" | "objectFit" | "clipPath" | "pointerEvents" | "display" | "inset" | "maxWidth"
  >
>;

/**
 * Puts an element at a rectangle of its frame, by a translation: browsers count no other move as none of the layout. Set
 * through the style object, which a strict CSP allows.
 */
export function place(element: HTMLElement, { left, top, width, height }: StageRect): void {
  const percent = (fraction: number): string => `${fraction * 100}%`;
  Object.assign(element.style, {
    position: "absolute",
    maxWidth: "none",
    inset: "0 auto auto 0",
    translate: `${percent(left / width || 0)} ${percent(top / height || 0)}`,
    width: percent(width),
    height: percent(height),
  });
}

/** Lets an element fill its frame. */
export const fill = (element: HTMLElement): void => place(element, { left: 0, top: 0, width: 1, height: 1 });
