import { html, nothing, type TemplateResult } from "lit";
import { ring } from "../stage/ring.ts";
import type { Translate } from "../texts/texts.ts";
import sheet from "../styles/launcher.css?inline";

export const css: string = sheet;

/** Draws the launcher where no loader did, with the same markup. */
export function launcherView(options: { t: Translate; still: string | null; place: string }): TemplateResult {
  const { t, still, place } = options;
  return html`<div class="vv-launch" part="launcher" data-place=${place}>
    <button
      class="vv-launcher"
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
