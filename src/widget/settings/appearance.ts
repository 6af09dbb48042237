import type { UiConfig, Variant } from "../../protocol/embed-config.ts";
import { directionOf } from "../texts/language.ts";
import { adoptStyles } from "../styles/style-sheets.ts";
import { isDark, ownerRules } from "./theme.ts";

/** What an element's outer look depends on. */
export interface Appearance {
  readonly variant: Variant;
  readonly theme: string | null;
  readonly ui: UiConfig;
  readonly systemDark: boolean;
  /** Whether it is known which theme the owner wants. Until then the loader's mark stands. */
  readonly themeKnown: boolean;
  /** Language of the widget's own words. */
  readonly lang: string;
  /** What the visitor sees of the page, where the panel fills it. */
  readonly heightPx: number | null;
}

/** Gives the host its theme and the owner's style, and the widget's box its language and direction. */
export function dress(host: HTMLElement, root: ShadowRoot, box: HTMLElement, look: Appearance): void {
  const { variant, theme, ui, systemDark, heightPx } = look;
  if (look.themeKnown) host.toggleAttribute("data-dark", isDark(theme, ui.theme, systemDark));
  host.setAttribute("data-variant", variant);
  box.dir = directionOf(host);
  box.lang = look.lang;
  const rules = ownerRules(ui);
  if (rules) adoptStyles(root, rules);
  if (heightPx !== null) box.style.setProperty("--vv-height", `${heightPx}px`);
}
