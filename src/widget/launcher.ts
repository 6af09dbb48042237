import { html, nothing, type TemplateResult } from "lit";
import launcherCss from "./styles/launcher.css?inline";
import { ring } from "./ring.ts";
import { adoptStyles } from "./style-sheets.ts";
import type { Translate } from "./texts.ts";
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

/** Draws the launcher where no loader did, with the same markup. */
export function launcherTemplate(
  root: ShadowRoot,
  options: { t: Translate; still: string | null; place: string },
): TemplateResult {
  adoptStyles(root, launcherCss);
  const { t, still, place } = options;
  return html`<div class="vv-launch" part="launcher" data-place=${place}>
    <button
      class="vv-porthole"
      part="launcher-button"
      type="button"
      aria-expanded="false"
      aria-label=${t("launcher")}
    >
      <span class="vv-window" data-ring="idle">
        <span class="vv-view">${still ? html`<img class="vv-still" src=${still} alt="" />` : nothing}</span>
        ${ring("idle")}
      </span>
    </button>
    <span class="vv-label" aria-hidden="true"><b>${t("launcher")}</b><span>${t("launcher_hint")}</span></span>
  </div>`;
}
