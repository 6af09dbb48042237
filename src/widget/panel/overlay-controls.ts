import { html, type TemplateResult } from "lit";
import { interruptButton, mainButton, statusText, type BadgeActions } from "./badge.ts";
import { controlButtons, type ControlsProps } from "./controls.ts";
import { moveInToolbar } from "./toolbar.ts";
import type { Badge } from "./view.ts";
import sheet from "../styles/overlay-controls.css?inline";

export const css: string = sheet;

/** What the overlay is drawn from. */
export interface OverlayProps extends ControlsProps {
  readonly badge: Badge;
  readonly badgeActions: BadgeActions;
  /** The caption bar, drawn. */
  readonly captions: unknown;
}

/** Captions and controls over the picture: the bar straddles the lower ring, status first, the main control centred. */
export function overlayControls(props: OverlayProps): TemplateResult {
  const { t, badge, badgeActions } = props;
  if (badge.kind === "begin")
    return html`<div class="vv-badge">${mainButton(t, badge.kind, badgeActions)}</div>`;
  const { captions, text, end } = controlButtons(props);
  return html`<div class="vv-subtitles" aria-live="off">${props.captions}</div>
    <div class="vv-overlay">
      <div part="dock" role="toolbar" aria-label=${t("conversation")} @keydown=${moveInToolbar}>
        <span class="vv-status" part="nameplate">${status(props)}</span>
        ${text}
        <span class="r">${captions}${end}</span>
      </div>
    </div>`;
}

function status({ t, badge, badgeActions }: OverlayProps): TemplateResult {
  if (badge.kind !== "status") return mainButton(t, badge.kind, badgeActions);
  return badge.interrupt ? interruptButton(t, badgeActions.interrupt) : statusText(t, badge);
}
