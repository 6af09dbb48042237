import type { TranscriptEntry } from "../../client/index.ts";

/** A transcript as plain text. `visitor` and `avatar` are the names of the speakers. */
export function transcriptText(
  transcript: readonly TranscriptEntry[],
  visitor: string,
  avatar: string,
): string {
  return transcript.map(({ role, text }) => `${role === "visitor" ? visitor : avatar}: ${text}`).join("\n\n");
}
