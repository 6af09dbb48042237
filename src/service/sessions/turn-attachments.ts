import { attachmentKindOf } from "../../protocol/attachment.ts";
import type { ChatMessage } from "../../protocol/llm-request.ts";
import { Fault } from "../fault.ts";
import type { LanguageModel, TurnAttachment } from "../language/language-model.ts";
import type { AttachmentRecord, SessionRecord } from "../store/store.ts";
import type { LanguageDependencies } from "./session-language.ts";

/** The bytes of files that one turn gives to the model. The files of the oldest questions are left out first. */
const turnMaxBytes = 30 * 1024 * 1024;

/** The bytes of files that all turns in progress may have in memory together. */
const processMaxBytes = 120 * 1024 * 1024;
const retryAfterSec = 5;

let heldBytes = 0;

/** The files of a turn, in memory. */
export interface TurnAttachments {
  files: ReadonlyMap<string, TurnAttachment>;
  /** Gives the memory back. */
  release(): void;
}

const none: TurnAttachments = { files: new Map(), release: () => undefined };

/** The session's own files that the messages name and the model takes, the last question's first, as far as there is room. */
function chosen(
  messages: readonly ChatMessage[],
  own: readonly AttachmentRecord[],
  { takesAttachments = [] }: LanguageModel,
): AttachmentRecord[] {
  const wanted = new Set(messages.toReversed().flatMap(({ attachments = [] }) => attachments));
  let bytes = 0;
  return [...wanted].flatMap((wantedId) => {
    const found = own.find(({ id }) => id === wantedId);
    const kind = found ? attachmentKindOf(found.type) : null;
    if (!found || kind === null || !takesAttachments.includes(kind)) return [];
    if (bytes + found.bytes > turnMaxBytes) return [];
    bytes += found.bytes;
    return [found];
  });
}

/** Throws a Fault if the model would not get a file of the last question, because its answer would be about something else. */
function checkQuestion(messages: readonly ChatMessage[], given: ReadonlySet<string>): void {
  const index = messages.findLastIndex(({ role }) => role === "user");
  const missing = messages[index]?.attachments?.findIndex((id) => !given.has(id)) ?? -1;
  if (missing < 0) return;
  throw Fault.invalid(
    "does_not_exist",
    "This session has no such file, or its language model does not take it. Attach it again, or ask without it.",
    `messages.${index}.attachments.${missing}`,
  );
}

/**
 * Reads the files that a turn's messages name. Only files of the same session are found. Throws a Fault if one of the last
 * question is missing, or if too many are in memory.
 */
export async function turnAttachments(
  { store, files }: Pick<LanguageDependencies, "store" | "files">,
  session: SessionRecord,
  messages: readonly ChatMessage[],
  model: LanguageModel,
): Promise<TurnAttachments> {
  if (!messages.some(({ attachments }) => attachments?.length)) return none;
  const records = chosen(messages, await store.attachments.list(session.id), model);
  checkQuestion(messages, new Set(records.map(({ id }) => id)));
  const bytes = records.reduce((sum, record) => sum + record.bytes, 0);
  if (heldBytes + bytes > processMaxBytes) throw Fault.busy(retryAfterSec);
  heldBytes += bytes;
  let isHeld = true;
  const release = (): void => {
    if (isHeld) heldBytes -= bytes;
    isHeld = false;
  };
  try {
    const read = new Map<string, TurnAttachment>();
    for (const { id, name, type } of records) {
      const content = await files.read(id);
      if (content !== null) read.set(id, { name, type, bytes: content });
    }
    checkQuestion(messages, new Set(read.keys()));
    return { files: read, release };
  } catch (error) {
    release();
    throw error;
  }
}
