import type { EventTerminateReason, SessionEventKind } from "../../protocol/session-event.ts";
import type { Page, PageRequest } from "./page.ts";

/** A reported event. `file` is the name of its file in the file store. */
export interface EventRecord {
  id: string;
  sessionId: string;
  kind: SessionEventKind;
  detail: string | null;
  file: string | null;
  createdAtMs: number;
  terminateReason: EventTerminateReason | null;
}

/** Reported events. */
export interface EventStore {
  insert(event: EventRecord): Promise<void>;
  /** One event of a session; null if the session has none with that id. */
  byId(sessionId: string, eventId: string): Promise<EventRecord | null>;
  /** In the order in which they were stored. */
  list(sessionId: string): Promise<EventRecord[]>;
  /** A part of `list`. */
  page(sessionId: string, request: PageRequest): Promise<Page<EventRecord>>;
}

/** A file that was uploaded with an event. */
export interface EventFile {
  /** Its name in the file store: the id of the event. */
  name: string;
  sessionId: string;
  bytes: number;
}

/** Limits for the files of events. */
export interface EventFileLimits {
  /** Number of files of one session. */
  maxFiles: number;
  /** Bytes of all files of one session. */
  maxBytes: number;
  /** Bytes of all files of all sessions. */
  storeMaxBytes: number;
}

/** The space that event files use: those of one session, and all of them. */
export interface EventFileUse {
  files: number;
  bytes: number;
  storeBytes: number;
}

/** Which limit refuses a file. */
export type EventFileRefusal = "session_full" | "store_full";

/** The sizes of event files. Their bytes are in the file store. */
export interface EventFileStore {
  /**
   * Reserves space for a file before it is written, so that concurrent uploads cannot exceed the limits together. Resolves
   * with the limit that refuses it, or null if the space is reserved.
   */
  reserve(file: EventFile, createdAtMs: number, limits: EventFileLimits): Promise<EventFileRefusal | null>;
  /** Frees the space of a file, and removes the file's name from its event. */
  remove(name: string): Promise<void>;
  use(sessionId: string): Promise<EventFileUse>;
  /** The oldest files from before a time, in ms since the Unix epoch. */
  createdBefore(timeMs: number, limit: number): Promise<{ name: string; bytes: number }[]>;
  /** Names of files from an older version, which did not store their sizes. */
  unmeasured(limit: number): Promise<string[]>;
  measure(name: string, bytes: number): Promise<void>;
  /** Recalculates the bytes of all files together. */
  recount(): Promise<void>;
}
