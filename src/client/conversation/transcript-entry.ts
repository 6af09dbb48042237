import type { AnswerSource } from "../../protocol/answers/answer-source.ts";
import type { RichContent } from "../../protocol/answers/rich-content.ts";
import type { VisavisErrorCode } from "../../protocol/visavis-error-code.ts";
import type { ClientMessage } from "../../protocol/session/data-channel.ts";
import type { SessionRelay } from "../relay/relay-client.ts";
import type { AttachmentKind } from "../../protocol/answers/attachment.ts";

/**
 * The status of an entry. `streaming`: an answer that is being written. `final`: complete. `interrupted`: stopped by the
 * visitor; `text` is the spoken part, and `rest` what else was written. `cut`: an answer that broke off. `waiting`: a question that is sent when the
 * connection is back. `failed`: a question without an answer. `discarded`: removed from the transcript; only events have it.
 */
type TranscriptStatus = "streaming" | "final" | "interrupted" | "cut" | "waiting" | "failed" | "discarded";

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
  /** `person`: somebody of the owner's, who has joined. */
  readonly role: "visitor" | "avatar" | "person";
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
  /** The pages and documents that the answer is quoted from. */
  readonly sources?: readonly AnswerSource[];
  /** The person who speaks, or has joined or left. */
  readonly name?: string;
  /** The person has joined or left; there is no text then. */
  readonly note?: "joined" | "left";
  /** The number of the person's line at the service. */
  readonly line?: number;
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

/** How the service is reached while there is a session. */
export interface ConversationLine {
  /** Whether answers are spoken, or only shown. */
  readonly speaks: boolean;
  /** Whether a question can be sent now: not while connecting, reconnecting or offline. */
  readonly up: boolean;
  /** Sends over the data channel; false when it is not open. */
  deliver(message: ClientMessage): boolean;
  readonly relay: SessionRelay;
}

/**
 * Why a file is not attached. `size`: it is too large; `type`: it is none of the allowed types; `count`: the question has as many
 * files as it may have; `space`: the session has no room for more; `refused`: the service does not accept it; `network`: the
 * upload failed.
 */
export type AttachmentFault = "size" | "type" | "count" | "space" | "refused" | "network";

/** A file that the next question will have. */
export interface ChosenFile {
  readonly id: string;
  readonly file: File;
  /** The media type, as found in the file's content. */
  readonly type: string;
  /** `kept`: it is uploaded with the question, because there is no session yet. */
  readonly status: "kept" | "uploading" | "uploaded" | "failed";
  /** How much of it is uploaded, 0 to 1. */
  readonly progress: number;
  /** Why the upload failed. */
  readonly fault: AttachmentFault | null;
}

/** The files for the next question, for a user interface. Uploads begin at once. */
export interface VisitorAttachments {
  readonly chosen: readonly ChosenFile[];
  /** Those that go with the question: all but what the service does not accept. */
  readonly sendable: readonly ChosenFile[];
  /** The files that were not taken by the last `add()`. */
  readonly refused: readonly { readonly name: string; readonly fault: AttachmentFault }[];
  /** Takes files if their content is of an allowed kind. Never rejects: `refused` has what was not taken. */
  add(files: readonly File[], kinds: readonly AttachmentKind[]): Promise<void>;
  /** Removes a file that was not sent yet, from the server too. */
  remove(id: string): void;
  /** Uploads a file again. */
  retry(id: string): void;
  /** A file that was chosen on this page, also after it was sent. */
  fileOf(id: string): File | null;
  /** Calls a listener after each change. Returns the function that removes it. */
  onChange(listener: () => void): () => void;
}
