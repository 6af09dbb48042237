import { html, nothing, type TemplateResult } from "lit";
import { icon } from "../../styles/icons.ts";
import type { Translate } from "../../texts/texts.ts";

/** What the visitor agrees to by starting. */
interface Terms {
  readonly t: Translate;
  /** The owner's own text, if there is one. */
  readonly consentText: string | null;
  /** How long what is said is kept; null where it is not. */
  readonly kept: string | null;
  readonly privacyUrl: string | null;
}

/** How a conversation can begin where visitors can speak. */
export interface StartChoices {
  readonly talk: () => void;
  /** Null where visitors cannot write. */
  readonly type: (() => void) | null;
}

/** What the visitor reads before anything is sent. `choices`: null where visitors cannot speak. */
export function startPage(terms: Terms, begin: () => void, choices: StartChoices | null): TemplateResult {
  const { t } = terms;
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t("start_title")}</h2>
    <p dir="auto">${termsText(terms)}</p>
    ${terms.kept ? html`<p dir="auto">${terms.kept}</p>` : nothing}
    <div class="vv-acts">${startButtons(t, begin, choices)}</div>
    <p class="fine">${t("start_fine")} ${privacyLink(terms)}</p>
  </div>`;
}

/** It may become known only later that visitors can speak. The first button stays the same element, so it keeps the focus. */
function startButtons(t: Translate, begin: () => void, choices: StartChoices | null): TemplateResult {
  const write = choices?.type
    ? html`<button type="button" class="vv-cta" @click=${choices.type}>
        ${icon("chat")}${t("start_typing")}
      </button>`
    : nothing;
  return html`<button type="button" class="vv-cta pri" data-main @click=${choices?.talk ?? begin}>
      ${icon(choices ? "mic" : "chat")}${t(choices ? "start_talking" : "start")}</button
    >${write}`;
}

/** Under the picture of an inline element before the start: who answers, and what is sent where. */
export function inlineNote(terms: Terms): TemplateResult {
  // The owner's text may be in another language than the widget's.
  const kept = terms.kept ? html`<span dir="auto">${terms.kept}</span> ` : nothing;
  return html`<p class="vv-note" dir="auto">${termsText(terms)} ${kept}${privacyLink(terms)}</p>`;
}

function termsText({ t, consentText }: Terms): string {
  return consentText ?? t("start_text");
}

function privacyLink({ t, privacyUrl }: Terms): TemplateResult | typeof nothing {
  return privacyUrl
    ? html`<a href=${privacyUrl} target="_blank" rel="noopener">${t("privacy")}</a>`
    : nothing;
}
