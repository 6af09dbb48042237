import type { RichContent } from "../protocol/rich-content.ts";
import type { VisavisErrorCode } from "../protocol/visavis-error-code.ts";

/**
 * The status of an entry. `streaming`: an answer that is being written. `final`: complete. `interrupted`: stopped by the
 * visitor; only the spoken part is kept. `cut`: an answer that broke off. `waiting`: a question that is sent when the
 * connection is back. `failed`: a question without an answer. `discarded`: removed from the transcript; only events have it.
 */
export type TranscriptStatus =
  "streaming" | "final" | "interrupted" | "cut" | "waiting" | "failed" | "discarded";

/** A file that was sent with a question. */
export interface TranscriptAttachment {
  readonly id: string;
  readonly name: string;
  /** The media type. */
  readonly type: string;
  readonly bytes: number;
  /** The session that has the file, and its id there. */
  readonly at?: { readonly session: string; readonly id: string };
}

/** One entry of the conversation. `at` in ms since 1970. */
export interface TranscriptEntry {
  readonly id: string;
  readonly role: "visitor" | "avatar";
  readonly text: string;
  readonly status: TranscriptStatus;
  /** Why a question failed or an answer was cut off. */
  readonly fault?: VisavisErrorCode;
  /** All of it or a part could not be spoken, so it can only be read. */
  readonly unspoken?: boolean;
  /** What was written of an interrupted answer and not spoken. */
  readonly rest?: string;
  /** What is shown besides the text: buttons, cards, a form. `text` has it in words. */
  readonly content?: RichContent;
  /** False: the answer says that nothing was found. */
  readonly found?: boolean;
  /** What the visitor has attached to a question. */
  readonly attachments?: readonly TranscriptAttachment[];
  readonly at: number;
}

/** Where the voice is in the transcript: offsets in an entry's text. `from` equals `to` before it begins or goes on. */
export interface VoicePlace {
  readonly entryId: string;
  readonly from: number;
  readonly to: number;
}
