import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../styles/icons.ts";
import type { Translate } from "../../texts/texts.ts";

/** What the visitor agrees to by starting. */
interface Terms {
  readonly t: Translate;
  /** The owner's own text, if there is one. */
  readonly consentText: string | null;
  readonly privacyUrl: string | null;
}

/** What the visitor reads before anything is sent. */
export function startPage(terms: Terms, begin: () => void): TemplateResult {
  const { t } = terms;
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t("start_title")}</h2>
    <p dir="auto">${termsText(terms)}</p>
    <div class="vv-acts">
      <button type="button" class="vv-cta pri" data-main @click=${begin}>${icon("chat")}${t("start")}</button>
    </div>
    <p class="fine">${t("start_fine")} ${privacyLink(terms)}</p>
  </div>`;
}

/** Under the picture of an inline element before the start: who answers, and what is sent where. */
export function inlineNote(terms: Terms): TemplateResult {
  return html`<p class="vv-note" dir="auto">${termsText(terms)} ${privacyLink(terms)}</p>`;
}

function termsText({ t, consentText }: Terms): string {
  return consentText ?? t("start_text");
}

function privacyLink({ t, privacyUrl }: Terms): TemplateResult | typeof nothing {
  return privacyUrl
    ? html`<a href=${privacyUrl} target="_blank" rel="noopener">${t("privacy")}</a>`
    : nothing;
}
