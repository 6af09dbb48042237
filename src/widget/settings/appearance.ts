import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import type { Variant } from "../../protocol/settings/variant.ts";
import { adoptStyles } from "../styles/style-sheets.ts";
import type { VisitorSettings } from "./kept-settings.ts";
import type { SessionController } from "../session/session-controller.ts";

/** Whether the widget is dark: by the attribute, else the owner's setting. Null: as the page is (`embed/page-theme.ts`). */
export function isDark(attribute: string | null, owner: UiConfig["theme"]): boolean | null {
  const theme = attribute ?? owner;
  return theme === "dark" || theme === "light" ? theme === "dark" : null;
}

/** The owner's colour, radius and font as rules for the host. The page's own rules for the element win. */
export function ownerRules(ui: UiConfig): string {
  const declarations = [
    ui.brand_color && `--visavis-brand:${ui.brand_color}`,
    ui.radius !== undefined && `--visavis-radius-panel:${ui.radius}px`,
    ui.font && `--visavis-font:${ui.font}`,
  ].filter(Boolean);
  return declarations.length > 0 ? `:host{${declarations.join(";")}}` : "";
}

/** What the look of an element depends on. */
interface Appearance {
  readonly variant: Variant;
  readonly theme: string | null;
  readonly ui: UiConfig;
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
  const { variant, theme, ui, heightPx } = look;
  const dark = isDark(theme, ui.theme);
  if (dark !== null) host.toggleAttribute("data-dark", dark);
  host.setAttribute("data-variant", variant);
  box.dir = look.direction;
  box.lang = look.lang;
  box.dataset["captions"] = look.settings.captionSize ?? "";
  box.toggleAttribute("data-still", look.settings.reduceMotion === true);
  const rules = ownerRules(ui);
  if (rules) adoptStyles(root, rules);
  if (heightPx !== null) box.style.setProperty("--vv-height", `${heightPx}px`);
}

/** Makes the session follow what the visitor has chosen. `reducedMotion`: asked for here, or by the visitor's system. */
export function applySettings(
  session: SessionController,
  { silent, textOnly, voiceRate }: VisitorSettings,
  reducedMotion: boolean,
): void {
  session.silent = silent === true || textOnly === true;
  session.current?.setReducedMotion(reducedMotion);
  session.current?.setVoiceRate(voiceRate ?? 1);
}
