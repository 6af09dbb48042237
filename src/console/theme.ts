/** Light or dark. */
export type Theme = "light" | "dark";

const storageKey = "visavis-console-theme";
const darkSystem = matchMedia("(prefers-color-scheme: dark)");

function storedTheme(): Theme | null {
  const stored = localStorage.getItem(storageKey);
  return stored === "light" || stored === "dark" ? stored : null;
}

/** The colours that are shown: those chosen in this browser, else the system's. */
export const currentTheme = (): Theme => storedTheme() ?? (darkSystem.matches ? "dark" : "light");

function apply(): void {
  document.documentElement.dataset["theme"] = currentTheme();
}

/** Shows the colours, and follows the system. */
export function startTheme(): void {
  apply();
  darkSystem.addEventListener("change", apply);
}

/** Switches between light and dark. A choice that equals the system's is not stored, so that the console follows the system again. */
export function toggleTheme(): void {
  const chosen: Theme = currentTheme() === "dark" ? "light" : "dark";
  const system: Theme = darkSystem.matches ? "dark" : "light";
  if (chosen === system) localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, chosen);
  apply();
}
