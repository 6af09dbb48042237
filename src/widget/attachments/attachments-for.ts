import type { AttachmentParts, AttachmentState } from "./attachment-parts.ts";
import type * as attachmentsView from "./attachments.ts";

let view: typeof attachmentsView | null = null;
let load: Promise<void> | null = null;

/** The files of a conversation. They are loaded where the owner allows some, or the transcript has some. Null until then. */
export function attachmentsFor(state: AttachmentState): AttachmentParts | null {
  const { context, transcript, host } = state;
  const allowed = context?.["attachments"];
  const isNeeded =
    (Array.isArray(allowed) && allowed.length > 0) || transcript.some(({ attachments }) => attachments);
  if (!isNeeded) return null;
  if (view) return view.attachmentParts(state);
  load ??= import("./attachments.ts").then(
    (module) => {
      view = module;
      host.requestUpdate();
    },
    // The next change of the panel tries it again.
    () => void (load = null),
  );
  return null;
}
