/** What is wrong with the avatar that the page shows, whatever its state: found by the places of its parts, for the browser tests. */

import type { GalleryState } from "./states.ts";

/** Buttons and links that are less than 24 pixels high or wide. Links within an answer are as high as its lines. */
function smallTargets(root: ShadowRoot): string[] {
  const controls = root.querySelectorAll(".vv-shell :is(a, button):not(.vv-log p a)");
  return [...controls].flatMap((control) => {
    const { width, height } = control.getBoundingClientRect();
    const isShown = width > 1 && control.checkVisibility({ visibilityProperty: true });
    return isShown && Math.min(width, height) < 24
      ? [`too small: ${nameOf(control)}, ${width} × ${height}`]
      : [];
  });
}

const nameOf = (part: Element): string =>
  `${part.className} "${(part.getAttribute("aria-label") ?? part.textContent).trim().slice(0, 40)}"`;

const scrolls = (part: Element): boolean => /auto|scroll/.test(getComputedStyle(part).overflowY);

/** The parts above it that cut off what is outside of them. */
function clips(part: Element): Element[] {
  const found: Element[] = [];
  for (let above = part.parentElement; above; above = above.parentElement)
    if (getComputedStyle(above).overflowX !== "visible") found.push(above);
  return found;
}

function isCutOff(part: Element): boolean {
  const box = part.getBoundingClientRect();
  const above = clips(part);
  const isInScroller = above.some(scrolls);
  return (
    box.left < -1 ||
    box.right > innerWidth + 1 ||
    above.some((clip) => {
      const limit = clip.getBoundingClientRect();
      const isAside = box.left < limit.left - 1 || box.right > limit.right + 1;
      const isOver = box.top < limit.top - 1 || box.bottom > limit.bottom + 1;
      return isAside || (isOver && !isInScroller);
    })
  );
}

/** Controls that lie on each other, where nothing scrolls. */
function overlaps(shown: readonly Element[]): string[] {
  const controls = shown.filter((part) => part.localName === "button" && !clips(part).some(scrolls));
  return controls.flatMap((first, index) =>
    controls.slice(index + 1).flatMap((second) => {
      const [a, b] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
      const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
      const isOver = across > 1 && along > 1 && !first.contains(second) && !second.contains(first);
      return isOver ? [`overlap: ${nameOf(first)} and ${nameOf(second)}`] : [];
    }),
  );
}

/** Texts and controls that are cut off where nothing scrolls, and controls that lie on each other. */
function textsCutOff(root: ShadowRoot): string[] {
  const parts = root.querySelectorAll(
    ".vv-shell :is(button, a, h2, p, .hint, .vv-status, .vv-name, label, select, textarea)",
  );
  const shown = [...parts].filter(
    (part) =>
      part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      part.getBoundingClientRect().width > 1,
  );
  // Controls have a larger area for the pointer, which counts as their content.
  const tooWide = shown.filter(
    (part) => part.matches("p, h2, .hint, .vv-name") && part.scrollWidth > part.clientWidth + 1,
  );
  return [
    ...shown.filter(isCutOff).map((part) => `cut off: ${nameOf(part)}`),
    ...tooWide.map((part) => `too wide for its box: ${nameOf(part)}`),
    ...overlaps(shown),
  ];
}

/** Whether the part that the state is about can be seen: the launcher, or the panel, which is a dialog where it covers the page. */
function isShown(root: ShadowRoot, { closed, attributes }: GalleryState): boolean {
  const isDialog = !closed && !attributes?.["variant"];
  const part = root.querySelector(closed ? "[part=launcher-button]" : "[part=panel]");
  const canBeSeen = part?.checkVisibility({ opacityProperty: true, visibilityProperty: true }) ?? false;
  return canBeSeen && (!isDialog || root.querySelector("dialog[open]") !== null);
}

/** A line for each fault of the avatar on the page, which is in the given state. */
export function stateFaults(element: HTMLElement, state: GalleryState): string[] {
  const root = element.shadowRoot!;
  return [...(isShown(root, state) ? [] : ["not shown"]), ...smallTargets(root), ...textsCutOff(root)];
}
