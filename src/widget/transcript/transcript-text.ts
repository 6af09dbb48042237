import type { TranscriptEntry } from "../../client/index.ts";

/**
 * A transcript as plain text. `visitor` and `avatar` are the names of the speakers; `textOf` takes the marks off an
 * answer. Files of a question are named behind it.
 */
export function transcriptText(
  transcript: readonly TranscriptEntry[],
  visitor: string,
  avatar: string,
  textOf: (text: string) => string,
): string {
  const filesOf = ({ attachments = [] }: TranscriptEntry): string =>
    attachments.map(({ name }) => ` [${name}]`).join("");
  return transcript
    .filter(({ note }) => !note)
    .map((entry) => {
      if (entry.role === "visitor") return `${visitor}: ${entry.text}${filesOf(entry)}`;
      return entry.role === "person"
        ? `${entry.name ?? ""}: ${entry.text}`
        : `${avatar}: ${textOf(entry.text)}`;
    })
    .join("\n\n");
}
