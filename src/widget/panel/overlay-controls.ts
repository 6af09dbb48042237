import { html, nothing, type TemplateResult } from "lit";
import type { Fit } from "./layout.ts";
import {
  bigButton,
  dockButtons,
  interruptButton,
  statusWord,
  wordsOf,
  type PanelContext,
} from "./controls.ts";

export { default as sillCss } from "../styles/overlay-controls.css?inline";

/** The dock of a wide frame: it straddles the lower ring, status first, the main control on the face's axis. */
export function sill(context: PanelContext, fit: Fit): TemplateResult {
  const { view, t } = context;
  const { plate } = view;
  if (view.page === "start") return html`<div class="vv-plate">${bigButton(context)}</div>`;
  const { captions, type, end } = dockButtons(context);
  const status =
    plate.kind !== "status" ? nothing : plate.interrupt ? interruptButton(context) : statusWord(t, plate);
  // Beside an open transcript an inline window is too narrow for captions below the face.
  const covered = context.textOpen && fit === "inline";
  const sub = view.words.kind === "none" || covered ? nothing : wordsOf(context);
  return html`<div class="vv-sub" aria-live="off">${sub}</div>
    <div class="vv-sill">
      <div part="dock" role="toolbar" aria-label=${t("conversation")}>
        <span class="vv-status" part="nameplate">${plate.kind === "hear" ? bigButton(context) : status}</span>
        ${type}
        <span class="r">${captions}${end}</span>
      </div>
    </div>`;
}
