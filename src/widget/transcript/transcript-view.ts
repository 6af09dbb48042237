import { html, nothing, type TemplateResult } from "lit";
import type { Conversation } from "../session/session-snapshot.ts";
import { composer } from "./composer.ts";
import { suggestionChips, type PanelContext } from "../panel/controls.ts";
import { transcriptLog } from "./transcript-log.ts";

export { default as textCss } from "../styles/transcript.css?inline";

/** Transcript, suggestions and composer. */
export function textView(
  context: PanelContext,
  conversation: Conversation,
  draft: string,
  change: (draft: string) => void,
  leave: boolean,
): TemplateResult {
  const { transcript, activity } = conversation;
  const asked = transcript.some(({ role }) => role === "visitor");
  const thinking = activity === "thinking" && transcript.at(-1)?.role === "visitor";
  return html`<div class="vv-text">
    ${transcriptLog(context, transcript, thinking)}
    ${asked || context.suggestions.length === 0 ? nothing : suggestionChips(context)}
    ${composer(context, draft, change, leave)}
  </div>`;
}

/** Brings the end of the transcript into sight. */
export function followEnd(root: ParentNode): void {
  const log = root.querySelector(".vv-log");
  if (log) log.scrollTop = log.scrollHeight;
}

/** Whether the transcript's end is in sight (within a line). */
export function isAtEnd(root: ParentNode): boolean {
  const log = root.querySelector(".vv-log");
  return !log || log.scrollHeight - log.scrollTop - log.clientHeight < 32;
}
