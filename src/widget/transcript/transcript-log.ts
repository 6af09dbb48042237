import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TranscriptEntry } from "../../client/index.ts";
import { faultText } from "../panel/caption-bar.ts";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import type { Translate } from "../texts/texts.ts";
import { followEnd } from "./follow-end.ts";

/** The conversation, set like an interview in print: questions semibold behind a rule, answers plain. */
export function transcriptLog(
  t: Translate,
  transcript: readonly TranscriptEntry[],
  thinking: boolean,
  fault: VisavisErrorCode | null,
): TemplateResult | typeof nothing {
  if (transcript.length === 0 && !thinking) return nothing;
  return html`<div
    class="vv-log"
    part="transcript"
    role="region"
    aria-label=${t("transcript")}
    tabindex="0"
    ${followEnd()}
  >
    ${repeat(
      transcript,
      ({ id }) => id,
      (entry) => (entry.role === "visitor" ? question(t, entry) : answer(t, entry)),
    )}
    ${
      thinking
        ? html`<p class="vv-a dim" aria-hidden="true">
            <span class="vv-dots"><i></i><i></i><i></i></span>${t("thinking")}
          </p>`
        : nothing
    }
    ${fault ? html`<div class="vv-cut">${t(faultText(fault))}</div>` : nothing}
  </div>`;
}

function question(t: Translate, { text }: TranscriptEntry): TemplateResult {
  return html`<p class="vv-q" dir="auto"><span class="vv-sr">${t("said_by_visitor")}: </span>${text}</p>`;
}

function answer(t: Translate, { text, status }: TranscriptEntry): TemplateResult {
  const caret = status === "streaming" ? html`<i class="vv-caret"></i>` : nothing;
  const cut = status === "interrupted" ? html`<div class="vv-cut">${t("interrupted")}</div>` : nothing;
  return html`<p class="vv-a" dir="auto">${text}${caret}</p>
    ${cut}`;
}
