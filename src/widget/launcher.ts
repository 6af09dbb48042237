import type { Ring } from "./view.ts";

/** The launcher's parts that the widget works with, whoever drew them. */
export interface Launcher {
  readonly box: HTMLElement;
  readonly button: HTMLButtonElement;
}

/** Finds the launcher that the loader has drawn. It is kept as it is, so that a click in progress is not lost. */
export function findLauncher(root: ShadowRoot): Launcher | null {
  const box = root.querySelector<HTMLElement>(".vv-launch");
  const button = box?.querySelector<HTMLButtonElement>(".vv-porthole");
  return box && button ? { box, button } : null;
}

/** Shows on a launcher, adopted or drawn, whether the panel is open and what the session does meanwhile. */
export function updateLauncher(
  { box, button }: Launcher,
  panel: { hidden: boolean; expanded: boolean },
  state: Ring,
  label: string | null,
): void {
  box.style.visibility = panel.hidden ? "hidden" : "";
  button.setAttribute("aria-expanded", String(panel.expanded));
  if (label) button.setAttribute("aria-label", label);
  button.querySelector("[data-ring]")?.setAttribute("data-ring", state);
}
