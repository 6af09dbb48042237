/**
 * Applies the widget's rules for forced colours, which a page cannot switch on. Colours that the browser itself replaces are
 * not shown: for those, emulate forced colours in the developer tools (Rendering), or look at the screenshots of the tests.
 */
export function showForcedColours(element: HTMLElement): void {
  const apply = (): void => {
    for (const { cssRules } of element.shadowRoot?.adoptedStyleSheets ?? [])
      for (const rule of cssRules)
        if (rule instanceof CSSMediaRule && rule.media.mediaText === "(forced-colors: active)")
          rule.media.mediaText = "all";
  };
  apply();
  // A view brings its style sheet when it is loaded.
  setInterval(apply, 100);
}
