import type { UiConfig } from "../../protocol/embed-config.ts";

/** Whether the widget is dark: by the attribute, else the owner's setting, else the visitor's system. */
export function isDark(attribute: string | null, owner: UiConfig["theme"], systemDark: boolean): boolean {
  for (const theme of [attribute, owner]) {
    if (theme === "dark" || theme === "light") return theme === "dark";
    if (theme === "auto") break;
  }
  return systemDark;
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
