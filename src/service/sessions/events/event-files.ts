import { setTimeout as pause } from "node:timers/promises";
import { eventFileMaxBytes } from "../../../protocol/session/session-event-request.ts";
import { Fault } from "../../faults/fault.ts";
import { defaultEventFileLimits, type EventFileSettings } from "../../service-settings.ts";
import type { EventFileRefusal, SessionRecord } from "../../store/store.ts";
import type { SessionDependencies } from "../session-dependencies.ts";

type EventFileDependencies = Pick<SessionDependencies, "store" | "files" | "clock" | "settings" | "log">;

/** How large a file uploaded with an event may be now, and the error for a larger one. */
export interface EventFileRoom {
  /** In bytes; 0 when no file is accepted. */
  maxBytes: number;
  /** Creates the Fault for a file that is too large. */
  refusal(): Fault;
}

/** How many files are removed before other work gets its turn. */
const batch = 100;
/** The same for events. */
const eventBatch = 500;

function megabytes(bytes: number): string {
  return `${String(Math.round(bytes / 1024 / 102.4) / 10)} MB`;
}

/** A file has no room. */
export function fileFault(code: string, detail: string): Fault {
  return new Fault(403, "client_error", [{ code, detail, attr: "file" }]);
}

/** What a client can do without room for its file. */
export type FileAdvice = "send the event without a file" | "ask without this file";

function fullFault(
  refusal: EventFileRefusal,
  { maxFiles, maxBytes }: EventFileSettings,
  advice: FileAdvice,
): Fault {
  return refusal === "store_full"
    ? fileFault("file_storage_full", `The service has no space for more files; ${advice}.`)
    : fileFault(
        "session_files_exceeded",
        `A session accepts ${maxFiles} files with ${megabytes(maxBytes)} in total; ${advice}.`,
      );
}

function endedFault(reason: string, advice: FileAdvice): Fault {
  return fileFault(
    "session_ended",
    `This session has ended (${reason}) and accepts no more files; ${advice}.`,
  );
}

/** The limits for the files of sessions. */
export function fileLimits({ settings }: Pick<SessionDependencies, "settings">): EventFileSettings {
  return settings.eventFiles ?? defaultEventFileLimits;
}

/** How much room a session has for one more file. Checked before the file is read. */
export async function eventFileRoom(
  dependencies: Pick<EventFileDependencies, "store" | "settings">,
  { id, state }: SessionRecord,
  advice: FileAdvice = "send the event without a file",
): Promise<EventFileRoom> {
  const reason = state.terminationReason;
  if (reason !== null) return { maxBytes: 0, refusal: () => endedFault(reason, advice) };
  const limits = fileLimits(dependencies);
  const use = await dependencies.store.eventFiles.use(id);
  const own = use.files >= limits.maxFiles ? 0 : Math.max(0, limits.maxBytes - use.bytes);
  const shared = Math.max(0, limits.storeMaxBytes - use.storeBytes);
  const tooLarge = () =>
    Fault.invalid("max_length", `The file is larger than ${eventFileMaxBytes} bytes.`, "file");
  if (Math.min(own, shared) >= eventFileMaxBytes) return { maxBytes: eventFileMaxBytes, refusal: tooLarge };
  return own <= shared
    ? { maxBytes: own, refusal: () => fullFault("session_full", limits, advice) }
    : { maxBytes: shared, refusal: () => fullFault("store_full", limits, advice) };
}

/**
 * Stores an event's file under a name. Room is reserved first, so that parallel uploads cannot exceed the limits together. Throws
 * a Fault when there is no room.
 */
export async function keepEventFile(
  dependencies: EventFileDependencies,
  session: SessionRecord,
  name: string,
  bytes: Uint8Array,
  advice: FileAdvice = "send the event without a file",
): Promise<void> {
  const { store, clock } = dependencies;
  if (session.state.terminationReason !== null) throw endedFault(session.state.terminationReason, advice);
  const limits = fileLimits(dependencies);
  const file = { name, sessionId: session.id, bytes: bytes.length };
  const refusal = await store.eventFiles.reserve(file, clock.nowMs(), limits);
  if (refusal !== null) throw fullFault(refusal, limits, advice);
  try {
    await dependencies.files.write(name, bytes);
  } catch (error) {
    await dropEventFile(dependencies, name);
    throw error;
  }
}

/** Removes a file and frees its room. A file that cannot be removed now is removed when its retention time ends. */
export async function dropEventFile(
  { store, files, log }: Pick<EventFileDependencies, "store" | "files" | "log">,
  name: string,
): Promise<void> {
  try {
    await files.remove(name);
    await store.eventFiles.remove(name);
  } catch (error) {
    log.warn("an event's file was not removed", { error: String(error) });
  }
}

/** Counts the files that an older version did not count, and recounts all bytes. */
export async function measureEventFiles({
  store,
  files,
}: Pick<EventFileDependencies, "store" | "files">): Promise<void> {
  await store.alone("event files", async () => {
    for (;;) {
      const names = await store.eventFiles.unmeasured(batch);
      if (names.length === 0) break;
      for (const name of names) await store.eventFiles.measure(name, (await files.size(name)) ?? 0);
    }
    await store.eventFiles.recount();
  });
}

/** Removes the files whose retention time is over; resolves with how many. Their events stay, with `file` null. */
export async function removeOldEventFiles(dependencies: EventFileDependencies): Promise<number> {
  const { store, files, clock, log } = dependencies;
  const beforeMs = clock.nowMs() - fileLimits(dependencies).retentionDays * 86_400_000;
  const removed = { files: 0, bytes: 0 };
  await store.alone("event files", async () => {
    for (;;) {
      const old = await store.eventFiles.createdBefore(beforeMs, batch);
      for (const { name, bytes } of old) {
        // Remove the bytes first: a row that stays is found again, but a file without a row never is.
        await files.remove(name);
        await store.eventFiles.remove(name);
        removed.files++;
        removed.bytes += bytes;
      }
      if (old.length < batch) break;
    }
  });
  if (removed.files > 0) log.info("old event files were removed", removed);
  return removed.files;
}

/** How long events are kept, in days. */
const eventDays = 90;

/** Removes events that are too old. */
export async function removeOldEvents(dependencies: EventFileDependencies): Promise<void> {
  const { store, clock } = dependencies;
  const beforeMs = clock.nowMs() - Math.max(eventDays, fileLimits(dependencies).retentionDays) * 86_400_000;
  await store.alone("events", async () => {
    while ((await store.events.removeBefore(beforeMs, eventBatch)) === eventBatch) await pause(0);
    await store.events.recountDetails();
  });
}
