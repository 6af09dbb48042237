import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../parts/icons.ts";
import { texts } from "../texts/texts.ts";
import { currentTheme, toggleTheme } from "../theme.ts";

/** A button that changes between light and dark. `onChange`: the colours have changed. `isNamed`: its name is shown. */
export function themeButton(onChange: () => void, { isNamed = false } = {}): TemplateResult {
  const isDark = currentTheme() === "dark";
  const name = isDark ? texts.nav.light : texts.nav.dark;
  const toggle = (): void => {
    toggleTheme();
    onChange();
  };
  return html`<button
    class=${isNamed ? "btn" : "icb"}
    aria-label=${isNamed ? nothing : name}
    @click=${toggle}
  >
    ${icon(isDark ? "sun" : "moon")} ${isNamed ? name : nothing}
  </button>`;
}
