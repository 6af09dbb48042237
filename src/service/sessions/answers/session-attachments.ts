import { randomUUID } from "node:crypto";
import {
  attachmentKindOf,
  attachmentKinds,
  attachmentMaxBytes,
  attachmentNameMaxLength,
  attachmentTypeOf,
  attachmentTypes,
  type Attachment,
  type AttachmentKind,
} from "../../../protocol/answers/attachment.ts";
import { Fault } from "../../faults/fault.ts";
import { checkPictureDimensions } from "../../pictures/picture-dimensions.ts";
import type { SessionRecord } from "../../store/store.ts";
import {
  eventFileRoom,
  fileFault,
  fileLimits,
  keepEventFile,
  type EventFileRoom,
} from "../events/event-files.ts";
import type { SessionDependencies } from "../session-dependencies.ts";
import { sessionModel, type LanguageDependencies } from "./session-language.ts";

type AttachmentDependencies = Pick<SessionDependencies, "clock" | "settings" | "log"> & LanguageDependencies;

/** A file as a visitor sends it. */
export interface AttachmentUpload {
  name: string;
  bytes: Uint8Array;
}

/** The longest side of a picture, in pixels. Decoding takes memory for every pixel, however small the file is. */
const maxSidePixels = 12_000;

/** How much of the room for all files the attached ones of one organization may take: others need some too. */
const organizationShare = 0.5;

/** How many files are removed in one step. */
const batch = 100;

const advice = "ask without this file";

const words: Readonly<Record<AttachmentKind, string>> = { image: "pictures", pdf: "PDFs" };

/** Kinds of files in words: "pictures and PDFs". */
export function kindsInWords(kinds: readonly AttachmentKind[]): string {
  return kinds.map((kind) => words[kind]).join(" and ");
}

/** What the session's owner allows. A session without a context is its owner's own. */
async function allowedKinds(
  { store }: AttachmentDependencies,
  { organizationId, contextUuid }: SessionRecord,
): Promise<readonly AttachmentKind[]> {
  if (contextUuid === null) return attachmentKinds;
  return (await store.contexts.byUuid(organizationId, contextUuid))?.config.attachments ?? [];
}

async function modelKinds(
  dependencies: AttachmentDependencies,
  session: SessionRecord,
): Promise<readonly AttachmentKind[]> {
  const request = (await dependencies.store.sessions.detail(session.id))?.request;
  if (!request || request.interactive_agent_config !== undefined) return [];
  return (await sessionModel(dependencies, session, request))?.takesAttachments ?? [];
}

/** The kinds of files that a session accepts. Throws a Fault if it accepts none. */
async function acceptedKinds(
  dependencies: AttachmentDependencies,
  session: SessionRecord,
): Promise<readonly AttachmentKind[]> {
  const allowed = await allowedKinds(dependencies, session);
  if (allowed.length === 0)
    throw Fault.forbidden("This assistant accepts no files: its embed_config.attachments names no kind.");
  const taken = await modelKinds(dependencies, session);
  const accepted = allowed.filter((kind) => taken.includes(kind));
  if (accepted.length > 0) return accepted;
  throw Fault.invalid(
    "invalid",
    `The language model of this session takes no ${kindsInWords(allowed)}: engine.attachments of its LLM type does not name them.`,
    "file",
  );
}

/** How much room a session has for one more file. Checked before the file is read. There is none where no file is accepted. */
export async function attachmentRoom(
  dependencies: AttachmentDependencies,
  session: SessionRecord,
): Promise<EventFileRoom> {
  try {
    await acceptedKinds(dependencies, session);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { maxBytes: 0, refusal: () => error };
  }
  const room = await eventFileRoom(dependencies, session, advice);
  const organizationBytes = await organizationRoom(dependencies, session);
  return organizationBytes < room.maxBytes
    ? { maxBytes: organizationBytes, refusal: organizationFull }
    : room;
}

/** How many bytes of attached files an organization may still have. */
async function organizationRoom(
  dependencies: AttachmentDependencies,
  { organizationId }: SessionRecord,
): Promise<number> {
  const share = Math.floor(fileLimits(dependencies).storeMaxBytes * organizationShare);
  return Math.max(0, share - (await dependencies.store.attachments.bytesOf(organizationId)));
}

function organizationFull(): Fault {
  return fileFault(
    "file_storage_full",
    `The sessions of this organization have as many attached files as they may have at once; ${advice}.`,
  );
}

/** The media type of a file, by its content. Throws a Fault if the session does not accept it. */
function checkedType(bytes: Uint8Array, accepted: readonly AttachmentKind[]): string {
  if (bytes.length > attachmentMaxBytes)
    throw Fault.invalid("max_length", `The file is larger than ${attachmentMaxBytes} bytes.`, "file");
  const type = attachmentTypeOf(bytes);
  const kind = type === null ? null : attachmentKindOf(type);
  if (type === null || kind === null || !accepted.includes(kind))
    throw Fault.invalid(
      "unsupported_media_type",
      `Send ${attachmentTypes(accepted).join(", ")}. The type is read from the file's content, not from its name.`,
      "file",
    );
  if (kind === "image") checkPictureDimensions(bytes, { maxSidePixels, field: "file" });
  return type;
}

/** Stores a file for a session's questions. Throws a Fault if the session does not accept it or has no room for it. */
export async function keepAttachment(
  dependencies: AttachmentDependencies,
  session: SessionRecord,
  { name, bytes }: AttachmentUpload,
): Promise<Attachment> {
  const { store } = dependencies;
  const type = checkedType(bytes, await acceptedKinds(dependencies, session));
  if (bytes.length > (await organizationRoom(dependencies, session))) throw organizationFull();
  const attachment = {
    id: randomUUID(),
    name: name.trim().slice(0, attachmentNameMaxLength) || "file",
    type,
    bytes: bytes.length,
  };
  // The row first: bytes without a row would never be found and removed.
  await store.attachments.insert({ ...attachment, sessionId: session.id });
  try {
    await keepEventFile(dependencies, session, attachment.id, bytes, advice);
  } catch (error) {
    await dropAttachments(dependencies, [attachment.id]);
    throw error;
  }
  // The session may have ended, and its files may have been removed, while this one was written.
  const isKept = (await store.attachments.list(session.id)).some(({ id }) => id === attachment.id);
  if (!isKept) {
    await dropAttachments(dependencies, [attachment.id]);
    throw Fault.invalid("invalid", "The session ended before the file was stored.", "file");
  }
  return attachment;
}

/** Removes a file that the visitor does not want to send after all. A session can only remove its own. */
export async function removeAttachment(
  dependencies: AttachmentDependencies,
  session: SessionRecord,
  attachmentId: string,
): Promise<void> {
  const own = await dependencies.store.attachments.list(session.id);
  await dropAttachments(
    dependencies,
    own.map(({ id }) => id).filter((id) => id === attachmentId),
  );
}

/** Removes the files of sessions that have ended, also of those that another process or an earlier run has left. */
export async function removeEndedAttachments(
  dependencies: Pick<SessionDependencies, "store" | "files" | "log">,
): Promise<void> {
  await dropAttachments(dependencies, await dependencies.store.attachments.ofEndedSessions(batch));
}

/** What cannot be removed now keeps its row, and is removed later. */
async function dropAttachments(
  { store, files, log }: Pick<SessionDependencies, "store" | "files" | "log">,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids)
    try {
      await files.remove(id);
      await store.eventFiles.remove(id);
      await store.attachments.remove(id);
    } catch (error) {
      log.warn("an attached file was not removed", { error: String(error) });
    }
}
