import type { AvatarSession, TranscriptEntry } from "../../client/index.ts";
import type { PublicContext } from "../../protocol/session/relay-api.ts";
import type { PanelHost } from "../panel/panel-host.ts";
import type { Translate } from "../texts/texts.ts";

/** What the files of a conversation are drawn from. */
export interface AttachmentState {
  readonly t: Translate;
  /** Language of the widget's own texts. */
  readonly lang: string;
  readonly host: PanelHost;
  readonly current: AvatarSession | null;
  readonly context: PublicContext | null;
  readonly transcript: readonly TranscriptEntry[];
}

/** The files of a conversation, ready to be drawn. */
export interface AttachmentParts {
  /** Opens the file dialog. */
  readonly button: unknown;
  /** The files for the next question, and what was not taken. */
  readonly chosen: unknown;
  /** The question of a visitor who writes none: the names of the files. Empty without files. */
  readonly question: string;
  /** A file is held over the transcript. */
  readonly isOver: boolean;
  readonly handleDrag: (event: DragEvent) => void;
  readonly handleDrop: (event: DragEvent) => void;
  readonly handlePaste: (event: ClipboardEvent) => void;
  /** The files of a question. */
  readonly sentWith: (entry: TranscriptEntry) => unknown;
  /** Changes when the files of questions must be drawn again. */
  readonly epoch: number;
}
