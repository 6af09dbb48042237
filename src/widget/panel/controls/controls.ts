import { html, nothing, type TemplateResult } from "lit";
import { icon, type IconName } from "../../styles/icons.ts";
import type { Translate } from "../../texts/texts.ts";

/** Moves the focus inside a toolbar by arrow keys, Home and End. A `keydown` listener of the toolbar. */
export function moveInToolbar(event: KeyboardEvent): void {
  const toolbar = event.currentTarget as HTMLElement;
  const buttons = [...toolbar.querySelectorAll<HTMLButtonElement>("button:not(:disabled)")];
  const at = buttons.findIndex((button) => button === event.target);
  const step = getComputedStyle(toolbar).direction === "rtl" ? -1 : 1;
  const targets: Record<string, number> = {
    ArrowRight: at + step,
    ArrowLeft: at - step,
    Home: 0,
    End: buttons.length - 1,
  };
  const target = targets[event.key];
  if (target === undefined) return;
  buttons.at(target % buttons.length)?.focus();
  event.preventDefault();
}

/** What the controls are drawn from. */
export interface ControlsProps {
  readonly t: Translate;
  readonly captionsOn: boolean;
  readonly canType: boolean;
  readonly textOpen: boolean;
  readonly actions: { toggleCaptions(): void; toggleText(): void; openSettings(): void; end(): void };
  /** The microphone's button, which is the main control where visitors may speak. */
  readonly talk: TemplateResult | null;
}

/** A round button with an icon; its name is its tooltip too. */
export function iconButton(
  name: IconName,
  label: string,
  press: (event: MouseEvent) => void,
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
export function controlButtons({ t, captionsOn, canType, textOpen, actions, talk }: ControlsProps): {
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
          class=${talk ? "vv-btn" : "vv-btn main"}
          ?data-main=${!talk}
          aria-label=${label}
          data-tip=${label}
          aria-expanded=${textOpen}
          @click=${actions.toggleText}
        >
          ${icon("chat")}
        </button>`
      : nothing,
    end: iconButton(
      "end",
      t("end"),
      // It may lie where the launcher was: the second click of a double click on the launcher ends nothing.
      ({ detail }) => {
        if (detail < 2) actions.end();
      },
      "vv-btn end",
    ),
  };
}

/** The controls under the caption bar, the main one in the middle. */
export function controls(props: ControlsProps): TemplateResult {
  const { captions, text, end } = controlButtons(props);
  const { t, talk, actions } = props;
  const row = talk
    ? html`${text}${captions}${talk}${iconButton("settings", t("settings"), actions.openSettings, "vv-btn")}${end}`
    : html`${captions}${text}${end}`;
  return html`<div
    class="vv-controls"
    part="dock"
    role="toolbar"
    aria-label=${props.t("conversation")}
    @keydown=${moveInToolbar}
  >
    ${row}
  </div>`;
}
