import { html, nothing, type TemplateResult } from "lit";
import { repeat } from "lit/directives/repeat.js";
import type { TranscriptEntry } from "../../client/index.ts";
import type { PanelContext } from "../panel/controls.ts";

/** The conversation set like a printed interview: the question semibold behind a rule, the answer plain. */
export function transcriptLog(
  { t }: PanelContext,
  transcript: readonly TranscriptEntry[],
  thinking: boolean,
): TemplateResult | typeof nothing {
  if (transcript.length === 0 && !thinking) return nothing;
  return html`<div class="vv-log" part="transcript" role="region" aria-label=${t("transcript")} tabindex="0">
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
  </div>`;
}

function question(t: PanelContext["t"], { text }: TranscriptEntry): TemplateResult {
  return html`<p class="vv-q" dir="auto"><span class="vv-sr">${t("said_by_visitor")}: </span>${text}</p>`;
}

function answer(t: PanelContext["t"], { text, status }: TranscriptEntry): TemplateResult {
  const caret = status === "streaming" ? html`<i class="vv-caret"></i>` : nothing;
  const cut = status === "interrupted" ? html`<div class="vv-cut">${t("interrupted")}</div>` : nothing;
  return html`<p class="vv-a" dir="auto">${text}${caret}</p>
    ${cut}`;
}

/** The transcript as a visitor takes it along. */
export function transcriptText(
  transcript: readonly TranscriptEntry[],
  visitor: string,
  avatar: string,
): string {
  return transcript.map(({ role, text }) => `${role === "visitor" ? visitor : avatar}: ${text}`).join("\n\n");
}
