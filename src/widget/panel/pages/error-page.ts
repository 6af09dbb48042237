import { html, nothing, type TemplateResult } from "lit";
import type { SessionSnapshot } from "../../session/session-snapshot.ts";
import { lateIcon } from "../../styles/late-icons.ts";
import { canRetry, errorText } from "../../texts/error-texts.ts";
import type { Translate } from "../../texts/texts.ts";

/** What the page after a failure is drawn from. */
interface ErrorProps {
  readonly t: Translate;
  /** The avatar's name; empty when the context could not be loaded. */
  readonly name: string;
  readonly error: SessionSnapshot["error"];
  readonly contactUrl: string | null;
  readonly begin: () => void;
}

/** After a failure: what happened in plain words, what to do, and the code to quote. */
export function errorPage({ t, name, error, contactUrl, begin }: ErrorProps): TemplateResult {
  const code = error?.code ?? "session_lost";
  const time = new Date(error?.atMs ?? Date.now());
  const clock = time.toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", hour12: false });
  return html`<div class="vv-page" part="page" role="alert">
    <h2 dir="auto">${t(name ? "error_title" : "error_title_anyone")}</h2>
    <p dir="auto">${t(errorText(code, error?.limit), name ? {} : { name: t("ai_assistant") })}</p>
    <div class="vv-space"></div>
    <div class="vv-acts">
      ${
        canRetry(code, error?.limit)
          ? html`<button type="button" class="vv-cta pri" data-main @click=${begin}>
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
