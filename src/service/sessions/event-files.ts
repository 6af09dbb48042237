import { eventFileMaxBytes } from "../../protocol/session-event-request.ts";
import { Fault } from "../fault.ts";
import { defaultEventFileLimits } from "../service-settings.ts";
import type { EventFileSettings } from "../service-settings.ts";
import type { EventFileRefusal, SessionRecord } from "../store/store.ts";
import type { SessionDependencies } from "./session-dependencies.ts";

type EventFileDependencies = Pick<SessionDependencies, "store" | "files" | "clock" | "settings" | "log">;

/** How large a file may be that comes with an event now, and why it may not be larger. */
export interface EventFileRoom {
  /** Bytes; 0 where no file is taken. */
  maxBytes: number;
  /** Makes the Fault of a file that is larger. */
  refusal(): Fault;
}

/** So many files are removed before others have their turn. */
const batch = 100;

function megabytes(bytes: number): string {
  return `${String(Math.round(bytes / 1024 / 102.4) / 10)} MB`;
}

function fileFault(code: string, detail: string): Fault {
  return new Fault(403, "client_error", [{ code, detail, attr: "file" }]);
}

function fullFault(refusal: EventFileRefusal, { maxFiles, maxBytes }: EventFileSettings): Fault {
  return refusal === "store_full"
    ? fileFault(
        "file_storage_full",
        "The service has no room for more event files; send the event without a file.",
      )
    : fileFault(
        "session_files_exceeded",
        `A session takes ${maxFiles} files with ${megabytes(maxBytes)} together; send the event without a file.`,
      );
}

function endedFault(reason: string): Fault {
  return fileFault(
    "session_ended",
    `This session has ended (${reason}) and takes no more files; send the event without a file.`,
  );
}

function settingsOf({ settings }: Pick<SessionDependencies, "settings">): EventFileSettings {
  return settings.eventFiles ?? defaultEventFileLimits;
}

/** How much room a session has for one more file, as it shows before the file is read. */
export async function eventFileRoom(
  dependencies: Pick<EventFileDependencies, "store" | "settings">,
  { id, state }: SessionRecord,
): Promise<EventFileRoom> {
  const reason = state.terminationReason;
  if (reason !== null) return { maxBytes: 0, refusal: () => endedFault(reason) };
  const limits = settingsOf(dependencies);
  const use = await dependencies.store.eventFiles.use(id);
  const own = use.files >= limits.maxFiles ? 0 : Math.max(0, limits.maxBytes - use.bytes);
  const shared = Math.max(0, limits.storeMaxBytes - use.storeBytes);
  const tooLarge = () =>
    Fault.invalid("max_length", `The file is larger than ${eventFileMaxBytes} bytes.`, "file");
  if (Math.min(own, shared) >= eventFileMaxBytes) return { maxBytes: eventFileMaxBytes, refusal: tooLarge };
  return own <= shared
    ? { maxBytes: own, refusal: () => fullFault("session_full", limits) }
    : { maxBytes: shared, refusal: () => fullFault("store_full", limits) };
}

/**
 * Keeps an event's file under a name. Room for it is taken first, so that parallel uploads do not exceed the limits
 * together. Throws a Fault where there is none.
 */
export async function keepEventFile(
  dependencies: EventFileDependencies,
  session: SessionRecord,
  name: string,
  bytes: Uint8Array,
): Promise<void> {
  const { store, clock } = dependencies;
  if (session.state.terminationReason !== null) throw endedFault(session.state.terminationReason);
  const limits = settingsOf(dependencies);
  const file = { name, sessionId: session.id, bytes: bytes.length };
  const refusal = await store.eventFiles.reserve(file, clock.nowMs(), limits);
  if (refusal !== null) throw fullFault(refusal, limits);
  try {
    await dependencies.files.write(name, bytes);
  } catch (error) {
    await dropEventFile(dependencies, name);
    throw error;
  }
}

/** Removes a file and gives its room back. What cannot be removed now goes when its time has come. */
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

/** Counts files that an older version did not, and all bytes anew. */
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

/** Removes the files whose time is over; resolves with how many. Their events stay, with `file` null. */
export async function removeOldEventFiles(dependencies: EventFileDependencies): Promise<number> {
  const { store, files, clock, log } = dependencies;
  const beforeMs = clock.nowMs() - settingsOf(dependencies).retentionDays * 86_400_000;
  const removed = { files: 0, bytes: 0 };
  await store.alone("event files", async () => {
    for (;;) {
      const old = await store.eventFiles.createdBefore(beforeMs, batch);
      for (const { name, bytes } of old) {
        // First the bytes: a row that stays is found again, a file without a row never.
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
