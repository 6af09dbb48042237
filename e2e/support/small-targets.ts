import type { Page } from "@playwright/test";

/** The panel's buttons and links that are less than 24 pixels high or wide. Links within an answer are as high as its lines. */
export async function smallTargets(page: Page): Promise<string[]> {
  return page.locator("visavis-avatar").evaluate((element) => {
    const controls = element.shadowRoot!.querySelectorAll(".vv-shell :is(a, button):not(.vv-log p a)");
    return [...controls].flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      const isShown = width > 1 && control.checkVisibility({ visibilityProperty: true });
      const name = control.getAttribute("aria-label") ?? control.textContent.trim();
      return isShown && Math.min(width, height) < 24 ? [`${name}: ${width} × ${height}`] : [];
    });
  });
}
