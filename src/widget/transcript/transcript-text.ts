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
    .map((entry) =>
      entry.role === "visitor"
        ? `${visitor}: ${entry.text}${filesOf(entry)}`
        : `${avatar}: ${textOf(entry.text)}`,
    )
    .join("\n\n");
}
