import { html, nothing, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../../client/index.ts";
import type { TextKey, Translate } from "../../texts/texts.ts";

/** What the visitor can do about a message that went wrong. */
export interface MessageActions {
  readonly retry: (id: string) => void;
  readonly discard: (id: string) => void;
  /** Lets the avatar say the rest of an interrupted answer. */
  readonly resume: (id: string) => void;
  /** Stops the answer, also while it is thought about. */
  readonly interrupt: () => void;
}

/** What the status of a message is drawn from. */
export interface MessageStatusProps {
  readonly t: Translate;
  /** Where else the owner can be reached; null without such an address. */
  readonly contactUrl: string | null;
  readonly actions: MessageActions;
}

/** What became of a message, in plain words; null if it needs none. */
export function messageStatusText({ status, fault, unspoken }: TranscriptEntry): TextKey | null {
  if (status === "waiting") return "message_waiting";
  if (status === "cut") return "message_cut";
  if (status === "interrupted") return "interrupted";
  if (status === "failed") {
    if (fault === "network") return "message_unsent";
    return fault === "rate_limited" ? "answer_rate_limited" : "answer_failed";
  }
  return unspoken ? "message_unspoken" : null;
}

/** The button that lets the avatar finish an answer that the visitor has interrupted. */
export function resumeButton(
  { t, actions }: MessageStatusProps,
  { id, status, rest }: TranscriptEntry,
): TemplateResult | typeof nothing {
  if (status !== "interrupted" || !rest?.trim()) return nothing;
  return html`<button type="button" class="vv-resume" @click=${() => actions.resume(id)}>
    ${t("resume_answer")}
  </button>`;
}

/** The buttons for a message that went wrong: ask or send it again, discard it, contact the owner. */
export function messageButtons(
  { t, contactUrl, actions }: MessageStatusProps,
  { id, status, fault }: TranscriptEntry,
): TemplateResult | typeof nothing {
  if (status !== "failed" && status !== "cut") return nothing;
  const unsent = status === "failed" && fault === "network";
  return html`<div class="vv-chips vv-message-acts">
    <button type="button" class="vv-chip" @click=${() => actions.retry(id)}>
      ${t(unsent ? "send_again" : "ask_again")}
    </button>
    ${
      unsent
        ? html`<button type="button" class="vv-chip" @click=${() => actions.discard(id)}>
            ${t("discard")}
          </button>`
        : nothing
    }
    ${
      contactUrl
        ? html`<a class="vv-chip" href=${contactUrl} target="_blank" rel="noopener">${t("contact_us")}</a>`
        : nothing
    }
  </div>`;
}
