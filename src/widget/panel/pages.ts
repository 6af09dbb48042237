import { html, nothing, type TemplateResult } from "lit";
import type { Conversation } from "../session/session-snapshot.ts";
import { canRetry, errorText } from "../texts/error-texts.ts";
import { icon } from "../styles/icons.ts";
import { lateIcon } from "../styles/late-icons.ts";
import { pageTexts } from "../texts/page-texts.ts";
import type { PanelContext } from "./controls.ts";
import { addTexts, type Translate } from "../texts/texts.ts";
import { transcriptText } from "../transcript/transcript-log.ts";

export { default as pagesCss } from "../styles/pages.css?inline";

addTexts(pageTexts);

/** What the visitor reads before anything is sent. */
export function startPage({ t, actions, consentText, privacyUrl }: PanelContext): TemplateResult {
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t("start_title")}</h2>
    <p dir="auto">${consentText ?? t("start_text")}</p>
    <div class="vv-acts">
      <button type="button" class="vv-cta pri" data-main @click=${actions.begin}>
        ${icon("chat")}${t("start")}
      </button>
    </div>
    <p class="fine">${t("start_fine")} ${privacyLink(t, privacyUrl)}</p>
  </div>`;
}

function privacyLink(t: Translate, url: string | null): TemplateResult | typeof nothing {
  return url ? html`<a href=${url} target="_blank" rel="noopener">${t("privacy")}</a>` : nothing;
}

/** Under an inline picture before the start: who answers, and what is sent where. */
export function inlineNote({ t, consentText, privacyUrl }: PanelContext): TemplateResult {
  return html`<p class="vv-note" dir="auto">
    ${consentText ?? t("start_text")} ${privacyLink(t, privacyUrl)}
  </p>`;
}

/** How long a conversation was, in words. */
export function durationText({ t }: Pick<PanelContext, "t">, durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < 1) return t("ended_short");
  return minutes === 1 ? t("ended_one") : t("ended_many", { minutes });
}

/** After a conversation: thanks, its length, the transcript to take along, and talking again. */
export function endedPage(context: PanelContext, conversation: Conversation): TemplateResult {
  const { t, actions } = context;
  const { liveSinceMs, endedAtMs, transcript } = conversation;
  const lengthMs = liveSinceMs && endedAtMs ? endedAtMs - liveSinceMs : 0;
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t("ended_title")}</h2>
    <p dir="auto">${durationText(context, lengthMs)}</p>
    <div class="vv-space"></div>
    ${
      transcript.length > 0
        ? html`<div class="vv-quiet">
            <button type="button" class="vv-cta s" @click=${copier(context, transcript)}>
              ${lateIcon("copy")}<span>${t("copy")}</span>
            </button>
            <button type="button" class="vv-cta s" @click=${() => download(context, transcript)}>
              ${lateIcon("download")}${t("download")}
            </button>
          </div>`
        : nothing
    }
    <button type="button" class="vv-cta pri" data-main @click=${actions.begin}>
      ${lateIcon("retry")}${t("again")}
    </button>
  </div>`;
}

/** After a failure: what happened in plain words, what to do, and the code to quote. */
export function errorPage(
  context: PanelContext,
  { error }: Conversation,
  contactUrl: string | null,
): TemplateResult {
  const { t, actions, name } = context;
  const code = error?.code ?? "session_lost";
  const time = new Date(error?.atMs ?? Date.now());
  const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  return html`<div class="vv-page" part="page" role="alert">
    <h2 dir="auto">${t(name ? "error_title" : "error_title_anyone")}</h2>
    <p dir="auto">${t(errorText(code), name ? {} : { name: t("ai_assistant") })}</p>
    <div class="vv-space"></div>
    <div class="vv-acts">
      ${
        canRetry(code)
          ? html`<button type="button" class="vv-cta pri" data-main @click=${actions.begin}>
              ${lateIcon("retry")}${t("retry")}
            </button>`
          : nothing
      }
      ${
        contactUrl
          ? html`<a class="vv-cta" href=${contactUrl} target="_blank" rel="noopener">
              ${lateIcon("external")}${t("contact")}
            </a>`
          : nothing
      }
    </div>
    <p class="fine">${t("reference")} <span part="error-code">${code}</span> · <bdi>${clock}</bdi></p>
  </div>`;
}

/** What else can be done during a conversation. The window makes room for it. */
export function morePage(context: PanelContext, conversation: Conversation): TemplateResult {
  const { t, actions } = context;
  const { transcript } = conversation;
  return html`<div class="vv-more" part="page">
    <header>
      <h2 dir="auto">${t("more")}</h2>
      <button type="button" class="vv-x" aria-label=${t("close")} @click=${actions.toggleMore}>
        ${icon("close")}
      </button>
    </header>
    <button
      type="button"
      class="vv-item"
      data-main
      ?hidden=${transcript.length === 0}
      @click=${copier(context, transcript)}
    >
      ${lateIcon("copy")}<span>${t("copy")}</span>
    </button>
    <button
      type="button"
      class="vv-item"
      ?hidden=${transcript.length === 0}
      @click=${() => download(context, transcript)}
    >
      ${lateIcon("download")}${t("download")}
    </button>
    <button type="button" class="vv-item danger" data-main @click=${actions.end}>
      ${icon("end")}${t("end")}
    </button>
  </div>`;
}

/** A click listener that copies the transcript and says so on its button. */
function copier({ t, name }: PanelContext, transcript: Conversation["transcript"]) {
  return async (event: Event) => {
    const label = (event.currentTarget as HTMLElement).querySelector("span");
    try {
      await navigator.clipboard.writeText(transcriptText(transcript, t("said_by_visitor"), name));
      if (label) label.textContent = t("copied");
    } catch {
      // A frame without the permission may not write to the clipboard; downloading remains.
    }
  };
}

function download({ t, name }: PanelContext, transcript: Conversation["transcript"]): void {
  const text = transcriptText(transcript, t("said_by_visitor"), name);
  const url = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name || t("conversation")}.txt`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 1_000);
}
