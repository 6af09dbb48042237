import type { AttachmentKind } from "../protocol/attachment.ts";

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
