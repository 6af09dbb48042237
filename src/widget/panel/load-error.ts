import { html, nothing, type TemplateResult } from "lit";
import type { Translate } from "../texts/texts.ts";

/** Stands where a view could not be loaded. `close` is null where the panel cannot be closed. */
export function loadError(t: Translate, retry: () => void, close: (() => void) | null): TemplateResult {
  return html`<div class="vv-failed" role="alert">
    <p>${t("load_error")}</p>
    <button type="button" data-main @click=${retry}>${t("retry")}</button>
    ${close ? html`<button type="button" @click=${close}>${t("close")}</button>` : nothing}
  </div>`;
}
