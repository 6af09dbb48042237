import { html, nothing, type TemplateResult } from "lit";
import { lateIcon } from "../../styles/late-icons.ts";
import type { Translate } from "../../texts/texts.ts";
import { copyTranscript, downloadTranscript, type Export } from "./transcript-export.ts";

/** What the page after a conversation is drawn from. */
interface EndedProps extends Export {
  readonly durationMs: number;
  readonly begin: () => void;
}

/** The length of a conversation in words. */
export function durationText(t: Translate, durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < 1) return t("ended_short");
  return minutes === 1 ? t("ended_one") : t("ended_many", { minutes });
}

/** After a conversation: thanks, its length, the transcript to keep, and a button to talk again. */
export function endedPage(props: EndedProps): TemplateResult {
  const { t, transcript, copied } = props;
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t("ended_title")}</h2>
    <p dir="auto">${durationText(t, props.durationMs)}</p>
    <div class="vv-space"></div>
    ${
      transcript.length > 0
        ? html`<div class="vv-quiet">
            <button type="button" class="vv-cta s" @click=${() => copyTranscript(props)}>
              ${lateIcon("copy")}<span>${t(copied ? "copied" : "copy")}</span>
            </button>
            <button type="button" class="vv-cta s" @click=${() => downloadTranscript(props)}>
              ${lateIcon("download")}${t("download")}
            </button>
          </div>`
        : nothing
    }
    <button type="button" class="vv-cta pri" data-main @click=${props.begin}>
      ${lateIcon("retry")}${t("again")}
    </button>
  </div>`;
}
