import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { type BadgeActions, interruptButton, mainButton, statusText } from "./badge.ts";
import { controlButtons, type ControlsProps, iconButton, moveInToolbar } from "./controls.ts";
import type { Badge } from "./badge-of.ts";
import sheet from "../../styles/overlay-controls.css?inline";

export const css: string = sheet;

/** What the overlay is drawn from. */
export interface OverlayProps extends ControlsProps {
  readonly badge: Badge;
  readonly badgeActions: BadgeActions & { toggleMore(): void; minimise(): void };
  /** There is room for a few controls only. The others are in the window that these open. */
  readonly few: boolean;
  /** The conversation will be in writing. */
  readonly inWriting: boolean;
  /** The caption bar, drawn. */
  readonly captions: unknown;
}

/** Captions and controls over the picture: the bar straddles the lower ring, status first, the main control centred. */
export function overlayControls(props: OverlayProps): TemplateResult {
  const { t, badge, badgeActions } = props;
  if (badge.kind === "begin")
    return html`<div class="vv-badge">${mainButton(t, badge.kind, badgeActions, props.inWriting)}</div>`;
  const { captions, text, end } = controlButtons(props);
  const { talk } = props;
  return html`<div class="vv-subtitles" aria-live="off">${props.captions}</div>
    <div class="vv-overlay">
      <div part="dock" role="toolbar" aria-label=${t("conversation")} @keydown=${moveInToolbar}>
        <span class="vv-status" part="nameplate">${status(props)}</span>
        ${talk ?? text}
        <span class="r">${props.few ? fewButtons(props, text) : [talk ? text : nothing, captions, end]}</span>
      </div>
    </div>`;
}

function fewButtons({ t, talk, badgeActions }: OverlayProps, text: unknown): unknown {
  const more = iconButton("more", t("more"), badgeActions.toggleMore, "vv-btn");
  return [talk ? text : more, iconButton("minimise", t("minimise"), badgeActions.minimise, "vv-btn")];
}

function status({ t, badge, badgeActions, inWriting }: OverlayProps): unknown {
  if (badge.kind !== "status") return mainButton(t, badge.kind, badgeActions, inWriting);
  if (badge.interrupt) return interruptButton(t, badgeActions.interrupt);
  // Another text takes the place of the one before, and does not move it.
  return keyed(badge.text, statusText(t, badge));
}
