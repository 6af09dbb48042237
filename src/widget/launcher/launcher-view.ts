import { html, nothing, type TemplateResult } from "lit";
import { publicVoiceOf } from "../../client/index.ts";
import { launcherHint } from "../../protocol/settings/launcher-hint.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import { followPage } from "../settings/own-theme.ts";
import { launcherTexts } from "../texts/launcher-texts.ts";
import { addTexts, type Translate } from "../texts/texts.ts";
import sheet from "../styles/launcher.css?inline";

export const css: string = sheet;

addTexts(launcherTexts);

/** Draws the launcher where no loader did, with the same markup. Its label changes when the state of the conversation does. */
export function launcherView(options: {
  host: PanelHost;
  t: Translate;
  /** The conversation will be in writing. */
  inWriting: boolean;
  context: PublicContext | null;
  still: string | null;
  place: string;
}): TemplateResult {
  const { host, t, inWriting, context, still, place } = options;
  followPage(host, context?.ui.theme);
  const hint = launcherHint(context?.ui ?? {}, inWriting, publicVoiceOf(context?.voice).recognizer);
  return html`<div class="vv-launch" part="launcher" data-place=${place}>
    <button
      class="vv-launcher"
      part="launcher-button"
      type="button"
      aria-expanded="false"
      aria-labelledby="vv-label"
    >
      <span class="vv-window">${still ? html`<img class="vv-still" src=${still} alt="" />` : nothing}</span>
    </button>
    <span class="vv-label" id="vv-label" aria-hidden="true">
      <b dir="auto" .textContent=${t(inWriting ? "launcher_write" : "launcher")}></b>
      <span dir="auto" .textContent=${t(hint)}></span>
    </span>
  </div>`;
}
