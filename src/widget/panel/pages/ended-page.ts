import { html, nothing, type TemplateResult } from "lit";
import { conversationRating, type RatingProps } from "../../rating/rating-view.ts";
import { endOf } from "../../texts/end-texts.ts";
import { lateIcon } from "../../styles/late-icons.ts";
import type { MessageParts } from "../../rich/message-form.ts";
import type { Translate } from "../../texts/texts.ts";
import { copyTranscript, downloadTranscript, type Export } from "./transcript-export.ts";

/** What the page after a conversation is drawn from. */
interface EndedProps extends Export {
  readonly durationMs: number;
  /** Why it has ended. */
  readonly reason: string | undefined;
  /** The visitor's rating of the conversation; null where the owner asks for none. */
  readonly rating: RatingProps | null;
  /** The message that can be left; null where none can. */
  readonly message: MessageParts | null;
  readonly begin: () => void;
}

/** The length of a conversation in words. */
export function durationText(t: Translate, durationMs: number): string {
  const minutes = Math.round(durationMs / 60_000);
  if (minutes < 1) return t("ended_short");
  return minutes === 1 ? t("ended_one") : t("ended_many", { minutes });
}

/**
 * After a conversation: thanks, or why it has ended if that was not the visitor's wish; its length, the transcript to keep, and a
 * button to talk again where that can help.
 */
export function endedPage(props: EndedProps): TemplateResult {
  const { t, transcript, copied } = props;
  const forced = endOf(props.reason);
  return html`<div class="vv-page" part="page">
    <h2 dir="auto">${t(forced ? "ended_over" : "ended_title")}</h2>
    ${forced ? html`<p dir="auto">${t(forced.text)}</p>` : nothing}
    <p dir="auto">${durationText(t, props.durationMs)}</p>
    ${props.rating && transcript.length > 0 ? conversationRating(props.rating) : nothing}
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
    ${
      props.message
        ? (props.message.sent ??
          html`<button type="button" class="vv-cta" @click=${props.message.open}>
            ${lateIcon("person")}${t("message_leave")}
          </button>`)
        : nothing
    }
    ${
      forced?.again === false
        ? nothing
        : html`<button type="button" class="vv-cta pri" data-main @click=${props.begin}>
            ${lateIcon("retry")}${t(forced ? "start_again" : "again")}
          </button>`
    }
  </div>`;
}
