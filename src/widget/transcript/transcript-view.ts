import { html, nothing, type TemplateResult } from "lit";
import type { AttachmentState } from "../attachments/attachment-parts.ts";
import { attachmentsFor } from "../attachments/attachments-for.ts";
import { suggestionChips } from "../panel/live/caption-bar.ts";
import type { UiConfig } from "../../protocol/settings/embed-config.ts";
import { linkPolicy } from "../rich/link-policy.ts";
import type { RichProps } from "../rich/rich-view.ts";
import { addTexts } from "../texts/texts.ts";
import { transcriptTexts } from "../texts/transcript-texts.ts";
import type { AnswerActions } from "./answer-actions.ts";
import { composer, type ComposerProps } from "./composer.ts";
import { transcriptLog, type LogProps } from "./transcript-log.ts";
import sheet from "../styles/transcript.css?inline";

export const css: string = sheet;

addTexts(transcriptTexts);

/** What the view is drawn from. */
export interface TranscriptProps
  extends
    Omit<LogProps, "formatted" | "richProps" | "attach">,
    Omit<ComposerProps, "attach">,
    AttachmentState {
  readonly ui: UiConfig;
  /** How the ways to a person are drawn in an answer. */
  readonly ways: RichProps["handover"];
  readonly act: AnswerActions["act"];
  readonly keepSent: AnswerActions["keepSent"];
  /** The browser cannot show the avatar. */
  readonly unsupported: boolean;
  /** That the conversation ends soon, drawn. */
  readonly notice: unknown;
  readonly followLink: AnswerActions["followLink"];
  /** Over the field, while the visitor waits for a person. */
  readonly strip: unknown;
}

/** Transcript, suggestions and composer. */
export function transcriptView(props: TranscriptProps): TemplateResult {
  const { t, transcript, ui, send } = props;
  const asked = transcript.some(({ role }) => role === "visitor");
  const next = props.rich?.suggestionsOf(transcript) ?? [];
  const suggestions = asked || next.length > 0 ? next : (ui.suggestions ?? []);
  const formatted = {
    links: linkPolicy(ui.links_allowed, location.origin),
    images: linkPolicy(ui.images_allowed ?? [], location.origin),
    follow: props.followLink,
    tableLabel: t("table"),
  };
  const richProps: RichProps = {
    ...formatted,
    t,
    send,
    act: props.act,
    sent: props.answers.sent ?? {},
    keepSent: props.keepSent,
    handover: props.ways,
  };
  const attach = attachmentsFor(props);
  return html`<div
    class=${attach?.isOver ? "vv-text over" : "vv-text"}
    @dragenter=${attach?.handleDrag}
    @dragover=${attach?.handleDrag}
    @dragleave=${attach?.handleDrag}
    @drop=${attach?.handleDrop}
  >
    ${props.unsupported ? html`<p class="vv-writes">${t("writes_only")}</p>` : nothing}
    ${transcriptLog({ ...props, attach, formatted, richProps })}
    ${suggestions.length === 0 || props.thinking ? nothing : suggestionChips(t, suggestions, send)}
    ${props.notice} ${props.strip} ${composer({ ...props, attach })}
  </div>`;
}
