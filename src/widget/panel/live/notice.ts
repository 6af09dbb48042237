import type { SessionNotice } from "../../../client/index.ts";
import type { Translate } from "../../texts/texts.ts";
import { html, type TemplateResult } from "lit";

/** What the text of a notice is made of. */
interface NoticeTextProps {
  readonly t: Translate;
  /** Language of the texts. */
  readonly lang: string;
  readonly notice: SessionNotice;
}

/** The times at which a countdown is read out, in seconds. */
const readAtSec = [20, 10, 5] as const;

/** A length of time in words. */
function timeText(lang: string, seconds: number): string {
  const [value, unit] = seconds === 60 ? [1, "minute"] : [seconds, "second"];
  return new Intl.NumberFormat(lang, { style: "unit", unit, unitDisplay: "long" }).format(value);
}

/** How soon the conversation ends, as the panel shows it. */
export function noticeText(
  { t, lang, notice: { kind, leftSec } }: NoticeTextProps,
  shownSec = leftSec,
): string {
  return t(kind === "idle" ? "idle_ends" : "time_left", { time: timeText(lang, shownSec) });
}

/** What screen readers are told: a countdown only at some of its seconds. */
export function noticeToRead(props: NoticeTextProps): string {
  const { kind, leftSec } = props.notice;
  const read = kind === "idle" ? readAtSec.findLast((sec) => leftSec <= sec) : undefined;
  return noticeText(props, read ?? leftSec);
}

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
