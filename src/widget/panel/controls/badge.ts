import { html, nothing, type TemplateResult } from "lit";
import { keyed } from "lit/directives/keyed.js";
import { icon } from "../../styles/icons.ts";
import type { Translate } from "../../texts/texts.ts";
import type { Badge } from "./badge-of.ts";

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
export function mainButton(
  t: Translate,
  kind: "sound" | "begin",
  actions: BadgeActions,
  inWriting: boolean,
): TemplateResult {
  const [sign, label, press] =
    kind === "sound"
      ? (["volume", t("hear"), actions.playSound] as const)
      : (["chat", t(inWriting ? "type" : "launcher"), actions.begin] as const);
  return html`<button type="button" class="big" data-main @click=${press}>${icon(sign)}${label}</button>`;
}

/** The badge on the ring's lower edge. */
export function badgeView(
  t: Translate,
  badge: Badge,
  actions: BadgeActions,
  inWriting: boolean,
): TemplateResult {
  if (badge.kind !== "status")
    return html`<div class="vv-badge">${mainButton(t, badge.kind, actions, inWriting)}</div>`;
  const stop = badge.interrupt
    ? html`<span class="sep"></span>${interruptButton(t, actions.interrupt)}`
    : nothing;
  const status = html`<span part="nameplate">${statusText(t, badge)}${stop}</span>`;
  // Another text takes the place of the one before. A button that may have the focus stays.
  return html`<div class="vv-badge">${keyed(badge.interrupt || badge.text, status)}</div>`;
}
