import type { TranscriptEntry } from "../../../client/index.ts";
import { transcriptText } from "../../transcript/transcript-text.ts";
import type { Translate } from "../../texts/texts.ts";

/** A transcript for the visitor to keep. */
export interface Export {
  readonly t: Translate;
  /** The avatar's name. */
  readonly name: string;
  readonly transcript: readonly TranscriptEntry[];
  /** A text of the avatar without its marks; null while that is not possible yet. */
  readonly textOf: (text: string) => string | null;
  /** The transcript has been copied. */
  readonly copied: boolean;
  /** Called when the transcript is in the clipboard. */
  readonly handleCopy: () => void;
}

/** Copies the transcript to the clipboard. */
export async function copyTranscript(props: Export): Promise<void> {
  try {
    await navigator.clipboard.writeText(exportedText(props));
    props.handleCopy();
  } catch {
    // A frame without the permission may not write to the clipboard. The download works there too.
  }
}

/** Saves the transcript as a text file. */
export function downloadTranscript(props: Export): void {
  const { t, name } = props;
  const url = URL.createObjectURL(new Blob([exportedText(props)], { type: "text/plain;charset=utf-8" }));
  const link = document.createElement("a");
  link.href = url;
  link.download = `${name || t("conversation")}.txt`;
  link.click();
  setTimeout(() => {
    URL.revokeObjectURL(url);
  }, 1_000);
}

function exportedText({ t, name, transcript, textOf }: Export): string {
  return transcriptText(transcript, t("said_by_visitor"), name, (text) => textOf(text) ?? text);
}
