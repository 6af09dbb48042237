import { html, nothing, type TemplateResult } from "lit";
import { icon, type IconName } from "../styles/icons.ts";
import type { Translate } from "../texts/texts.ts";
import { moveInToolbar } from "./toolbar.ts";

/** What the controls are drawn from. */
export interface ControlsProps {
  readonly t: Translate;
  readonly captionsOn: boolean;
  readonly canType: boolean;
  readonly textOpen: boolean;
  readonly actions: { toggleCaptions(): void; toggleText(): void; end(): void };
}

/** A round button with an icon; its name is its tooltip too. */
export function iconButton(
  name: IconName,
  label: string,
  press: () => void,
  kind = "",
  pressed: boolean | null = null,
): TemplateResult {
  return html`<button
    type="button"
    class=${kind}
    aria-label=${label}
    data-tip=${label}
    aria-pressed=${pressed ?? nothing}
    @click=${press}
  >
    ${icon(name)}
  </button>`;
}

/** Captions, text and end: each control by itself, for the layouts to arrange. */
export function controlButtons({ t, captionsOn, canType, textOpen, actions }: ControlsProps): {
  captions: TemplateResult;
  text: TemplateResult | typeof nothing;
  end: TemplateResult;
} {
  const label = t(textOpen ? "type_close" : "type");
  return {
    captions: iconButton(
      "captions",
      t(captionsOn ? "captions_off" : "captions_on"),
      actions.toggleCaptions,
      "vv-btn",
      captionsOn,
    ),
    text: canType
      ? html`<button
          type="button"
          class="vv-btn main"
          data-main
          aria-label=${label}
          data-tip=${label}
          aria-expanded=${textOpen}
          @click=${actions.toggleText}
        >
          ${icon("chat")}
        </button>`
      : nothing,
    end: iconButton("end", t("end"), actions.end, "vv-btn end"),
  };
}

/** The controls under the caption bar, the main one in the middle. */
export function controls(props: ControlsProps): TemplateResult {
  const { captions, text, end } = controlButtons(props);
  return html`<div
    class="vv-controls"
    part="dock"
    role="toolbar"
    aria-label=${props.t("conversation")}
    @keydown=${moveInToolbar}
  >
    ${captions}${text}${end}
  </div>`;
}
