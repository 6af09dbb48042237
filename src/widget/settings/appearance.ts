import type { UiConfig } from "../../protocol/embed-config.ts";
import type { Variant } from "../../protocol/variant.ts";
import { adoptStyles } from "../styles/style-sheets.ts";
import type { VisitorSettings } from "./visitor-settings.ts";
import { isDark, ownerRules } from "./theme.ts";

/** What the look of an element depends on. */
export interface Appearance {
  readonly variant: Variant;
  readonly theme: string | null;
  readonly ui: UiConfig;
  readonly systemDark: boolean;
  /** Whether the owner's theme is known. Until then the loader has chosen it. */
  readonly themeKnown: boolean;
  /** Language of the widget's own texts. */
  readonly lang: string;
  readonly direction: "ltr" | "rtl";
  readonly settings: VisitorSettings;
  /** Height of what the visitor sees of the page, in CSS pixels, where the panel fills it. */
  readonly heightPx: number | null;
}

/** Applies theme, owner's styles, language and direction to the host and to the `box` that the widget renders into. */
export function applyAppearance(
  host: HTMLElement,
  root: ShadowRoot,
  box: HTMLElement,
  look: Appearance,
): void {
  const { variant, theme, ui, systemDark, heightPx } = look;
  if (look.themeKnown) host.toggleAttribute("data-dark", isDark(theme, ui.theme, systemDark));
  host.setAttribute("data-variant", variant);
  box.dir = look.direction;
  box.lang = look.lang;
  box.dataset["captions"] = look.settings.captionSize ?? "";
  box.toggleAttribute("data-still", look.settings.reduceMotion === true);
  const rules = ownerRules(ui);
  if (rules) adoptStyles(root, rules);
  if (heightPx !== null) box.style.setProperty("--vv-height", `${heightPx}px`);
}
