import { html, nothing, type TemplateResult } from "lit";
import type { TranscriptEntry } from "../../client/index.ts";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import { suggestionChips } from "../panel/caption-bar.ts";
import type { Translate } from "../texts/texts.ts";
import { composer } from "./composer.ts";
import { transcriptLog } from "./transcript-log.ts";
import sheet from "../styles/transcript.css?inline";

export const css: string = sheet;

/** What the view is drawn from. */
export interface TranscriptProps {
  readonly t: Translate;
  readonly transcript: readonly TranscriptEntry[];
  /** The avatar thinks about an answer. */
  readonly thinking: boolean;
  /** Why the visitor's last question has no answer. */
  readonly fault: VisavisErrorCode | null;
  readonly suggestions: readonly string[];
  readonly draft: string;
  readonly changeDraft: (draft: string) => void;
  readonly send: (text: string) => void;
  /** Hides the transcript; null where it cannot be hidden. */
  readonly close: (() => void) | null;
}

/** Transcript, suggestions and composer. */
export function transcriptView(props: TranscriptProps): TemplateResult {
  const { t, transcript, suggestions, send } = props;
  const asked = transcript.some(({ role }) => role === "visitor");
  const thinking = props.thinking && transcript.at(-1)?.role === "visitor";
  return html`<div class="vv-text">
    ${transcriptLog(t, transcript, thinking, props.fault)}
    ${asked || suggestions.length === 0 ? nothing : suggestionChips(t, suggestions, send)} ${composer(props)}
  </div>`;
}
