import type { UiConfig } from "../../protocol/embed-config.ts";

/** Whether the widget is dark: the attribute first, then the owner's setting, then what the visitor's system prefers. */
export function isDark(attribute: string | null, owner: UiConfig["theme"], systemDark: boolean): boolean {
  for (const theme of [attribute, owner]) {
    if (theme === "dark" || theme === "light") return theme === "dark";
    if (theme === "auto") break;
  }
  return systemDark;
}

/** The owner's colour, radius and font as rules for the host; a page's own rules for the element still win. */
export function ownerRules(ui: UiConfig): string {
  const declarations = [
    ui.brand_color && `--visavis-brand:${ui.brand_color}`,
    ui.radius !== undefined && `--visavis-radius-panel:${ui.radius}px`,
    ui.font && `--visavis-font:${ui.font}`,
  ].filter(Boolean);
  return declarations.length > 0 ? `:host{${declarations.join(";")}}` : "";
}
