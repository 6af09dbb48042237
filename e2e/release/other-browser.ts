import { existsSync } from "node:fs";

/** A browser other than Playwright's, as a test uses it. */
export interface OtherBrowser {
  goto(address: string): Promise<void>;
  /** The value of an expression in the page, as JSON. A promise is awaited. */
  evaluate(expression: string): Promise<unknown>;
  /** Clicks a point of the page, in CSS pixels, as a visitor would. */
  clickAt(x: number, y: number): Promise<void>;
  /** Types into what has the focus. */
  type(text: string): Promise<void>;
  close(): Promise<void>;
}

/** The Enter key, for `type()`. */
export const enter = "\uE007";

/** The first of the files that exists. */
export const installed = (...paths: string[]): string | null =>
  paths.find((path) => existsSync(path)) ?? null;

const widget = 'document.querySelector("visavis-avatar")';

/** The element in the page, for `evaluate()`. */
export const inWidget = (expression: string): string => `${widget}${expression}`;

/** The middle of something in the widget's shadow root; null while it is not there. */
async function middleOf(browser: OtherBrowser, selector: string): Promise<{ x: number; y: number } | null> {
  const found = await browser.evaluate(`(() => {
    const node = ${widget}?.shadowRoot?.querySelector(${JSON.stringify(selector)});
    const box = node?.getBoundingClientRect();
    return box?.width ? { x: Math.round(box.x + box.width / 2), y: Math.round(box.y + box.height / 2) } : null;
  })()`);
  return found as { x: number; y: number } | null;
}

/** Clicks something in the widget's shadow root. Says whether it is there. */
export async function click(browser: OtherBrowser, selector: string): Promise<boolean> {
  const point = await middleOf(browser, selector);
  if (point) await browser.clickAt(point.x, point.y);
  return point !== null;
}
