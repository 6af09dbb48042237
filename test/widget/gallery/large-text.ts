/** The rules that follow the browser's text size. */
const followers = new Set<CSSStyleRule>();

/**
 * Shows texts as in a browser whose text size is changed, which a page cannot do: all of the widget's sizes follow its host's. Without
 * a size they have the usual one again.
 */
export function showLargeText(element: HTMLElement, size: string | undefined): void {
  if (size === undefined && followers.size === 0) return;
  for (const { cssRules } of element.shadowRoot?.adoptedStyleSheets ?? [])
    for (const rule of cssRules)
      if (rule instanceof CSSStyleRule && rule.style.fontSize === "medium") followers.add(rule);
  for (const { style } of followers)
    style.setProperty("font-size", size ?? "medium", size === undefined ? "" : "important");
  // The widget measures again what it has measured with usual texts.
  dispatchEvent(new Event("resize"));
}
