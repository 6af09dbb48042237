import type { Page } from "@playwright/test";

/** A layout shift as the browser reports it (Layout Instability API). */
interface LayoutShift extends PerformanceEntry {
  readonly value: number;
  /** The visitor has acted within the last 500 ms: such a shift is expected and not part of the sum. */
  readonly hadRecentInput: boolean;
  readonly sources: readonly {
    node: Node | null;
    previousRect: DOMRectReadOnly;
    currentRect: DOMRectReadOnly;
  }[];
}

/** A layout shift that counts. */
interface SeenShift {
  readonly value: number;
  /** What moved from where to where. */
  readonly what: string;
}

declare global {
  interface Window {
    /** The shifts that count since the last call. Set by `recordShifts`. */
    layoutShifts(): Promise<SeenShift[]>;
  }
}

/** Records layout shifts in the page that is loaded next. */
export async function recordShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: SeenShift[] = [];
    const nameOf = (element: Element): string =>
      `${element.localName}.${element.getAttribute("class") ?? ""}`;
    const boxOf = ({ x, y, width, height }: DOMRectReadOnly): string =>
      [x, y, width, height].map(Math.round).join(" ");
    // Browsers do not name nodes of a shadow root: what stands there now is a hint.
    const whatIs = (node: Node | null, at: DOMRectReadOnly): string => {
      if (node instanceof Element) return nameOf(node);
      const root = document.querySelector("visavis-avatar")?.shadowRoot;
      const inside = root?.elementsFromPoint(at.x + at.width / 2, at.y + at.height / 2) ?? [];
      return `about ${inside.slice(0, 3).map(nameOf).join(" in ")}`;
    };
    const record = (entries: PerformanceEntry[]): void => {
      for (const { value, hadRecentInput, sources } of entries as LayoutShift[]) {
        if (hadRecentInput) continue;
        const moved = sources.map(
          ({ node, previousRect: from, currentRect: to }) =>
            `${whatIs(node, to)} from ${boxOf(from)} to ${boxOf(to)}`,
        );
        shifts.push({ value, what: moved.join("; ") });
      }
    };
    const observer = new PerformanceObserver((list) => {
      record(list.getEntries());
    });
    observer.observe({ type: "layout-shift", buffered: true });
    window.layoutShifts = async () => {
      // The last change is drawn first.
      for (let frame = 0; frame < 2; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
      record(observer.takeRecords());
      return shifts.splice(0);
    };
  });
}

/** The shifts since the last call. Needs `recordShifts`. */
export function seenShifts(page: Page): Promise<SeenShift[]> {
  return page.evaluate(() => window.layoutShifts());
}
