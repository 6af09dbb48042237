/** Shows texts as in a browser whose text size is changed, which a page cannot do: all of the widget's sizes follow its host's. */
export function showLargeText(element: HTMLElement, size: string): void {
  for (const { cssRules } of element.shadowRoot?.adoptedStyleSheets ?? [])
    for (const rule of cssRules)
      if (rule instanceof CSSStyleRule && rule.style.fontSize === "medium")
        rule.style.setProperty("font-size", size, "important");
  // The widget measures again what it has measured with usual texts.
  dispatchEvent(new Event("resize"));
}
