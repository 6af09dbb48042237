/** Kinds of files that are read in a worker thread. */
export type OfficeFileKind = "pdf" | "docx";

/** The file that a worker thread reads. */
export interface OfficeFile {
  kind: OfficeFileKind;
  bytes: Uint8Array;
}

/** Its text as Markdown, or why there is none, for the operator. */
export type OfficeFileOutcome = { text: string } | { problem: string };
