import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";
import type { Badge } from "./view.ts";

/** What the visitor can do by the badge. */
export interface BadgeActions {
  begin(): void;
  interrupt(): void;
  playSound(): void;
}

/** The state's sign and text. */
export function statusText(t: Translate, { sign, text }: Badge & { kind: "status" }): TemplateResult {
  const bars = html`<i></i><i></i><i></i>`;
  const drawn =
    sign === "dots" || sign === "meter"
      ? html`<span class="vv-${sign}" aria-hidden="true">${bars}</span>`
      : sign && icon(sign);
  return html`${drawn}${t(text)}`;
}

export function interruptButton(t: Translate, interrupt: () => void): TemplateResult {
  return html`<button type="button" class="stop" @click=${interrupt}>
    ${icon("stop")}${t("interrupt")}
  </button>`;
}

/** The main action on the ring: turn the sound on, or begin. */
export function mainButton(t: Translate, kind: "sound" | "begin", actions: BadgeActions): TemplateResult {
  const [sign, label, press] =
    kind === "sound"
      ? (["volume", t("hear"), actions.playSound] as const)
      : (["chat", t("launcher"), actions.begin] as const);
  return html`<button type="button" class="big" data-main @click=${press}>${icon(sign)}${label}</button>`;
}

/** The badge on the ring's lower edge. */
export function badgeView(t: Translate, badge: Badge, actions: BadgeActions): TemplateResult {
  const content =
    badge.kind === "status"
      ? html`<span part="nameplate"
          >${statusText(t, badge)}${
            badge.interrupt
              ? html`<span class="sep"></span>${interruptButton(t, actions.interrupt)}`
              : nothing
          }</span
        >`
      : mainButton(t, badge.kind, actions);
  return html`<div class="vv-badge">${content}</div>`;
}
