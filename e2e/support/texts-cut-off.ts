import type { Page } from "@playwright/test";

/**
 * What the avatar's panel shows only in part, one line for each: texts and controls that are cut off where nothing scrolls, and controls
 * that lie on each other.
 */
export async function textsCutOff(page: Page): Promise<string[]> {
  return page.locator("visavis-avatar").evaluate((element) => {
    const root = element.shadowRoot!.querySelector(".vv-shell");
    if (!root) return [];
    const faults: string[] = [];
    const nameOf = (part: Element): string =>
      `${part.className} "${(part.getAttribute("aria-label") ?? part.textContent).trim().slice(0, 40)}"`;
    const scrolls = (part: Element): boolean => /auto|scroll/.test(getComputedStyle(part).overflowY);
    /** The parts above it that cut off what is outside of them. */
    const clips = (part: Element): Element[] => {
      const found: Element[] = [];
      for (let above = part.parentElement; above; above = above.parentElement)
        if (getComputedStyle(above).overflowX !== "visible") found.push(above);
      return found;
    };
    const shown = [
      ...root.querySelectorAll("button, a, h2, p, .hint, .vv-status, .vv-name, label, select, textarea"),
    ].filter(
      (part) =>
        part.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
        part.getBoundingClientRect().width > 1,
    );
    for (const part of shown) {
      const box = part.getBoundingClientRect();
      const isCut = clips(part).some((above) => {
        const limit = above.getBoundingClientRect();
        const aside = box.left < limit.left - 1 || box.right > limit.right + 1;
        return (
          aside ||
          (!scrolls(above) &&
            !clips(part).some(scrolls) &&
            (box.top < limit.top - 1 || box.bottom > limit.bottom + 1))
        );
      });
      const isOutside = box.left < -1 || box.right > innerWidth + 1;
      if (isCut || isOutside) faults.push(`cut off: ${nameOf(part)}`);
      // Controls have a larger area for the pointer, which counts as their content.
      if (part.matches("p, h2, .hint, .vv-name") && part.scrollWidth > part.clientWidth + 1)
        faults.push(`too wide for its box: ${nameOf(part)}`);
    }
    const controls = shown.filter((part) => part.localName === "button" && !clips(part).some(scrolls));
    for (const [index, first] of controls.entries())
      for (const second of controls.slice(index + 1)) {
        const [a, b] = [first.getBoundingClientRect(), second.getBoundingClientRect()];
        const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        if (across > 1 && along > 1 && !first.contains(second) && !second.contains(first))
          faults.push(`overlap: ${nameOf(first)} and ${nameOf(second)}`);
      }
    return faults;
  });
}
