import { html, type TemplateResult } from "lit";
import { noticeText, type NoticeTextProps } from "./notice-text.ts";

/** What a notice of the session's end is drawn from. */
export interface NoticeProps extends NoticeTextProps {
  /** The visitor is still there. */
  readonly stay: () => void;
}

/** How soon the conversation ends, and what keeps it, if the visitor can do something about it. */
export function noticeView(props: NoticeProps): TemplateResult {
  const text = noticeText(props);
  if (props.notice.kind === "time") return html`<p class="vv-time-left">${text}</p>`;
  return html`<div class="vv-asked">
    <p class="vv-caption who">${text}</p>
    <button type="button" class="vv-cta pri" @click=${props.stay}>${props.t("idle_stay")}</button>
  </div>`;
}
