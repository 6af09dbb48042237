import type { EventTerminateReason, SessionEventKind } from "../../../protocol/session/session-event.ts";
import { inPage, type Page, pageOf, type PageRequest } from "../database/paging.ts";
import { type Kysely, type Selectable, sql } from "kysely";
import { compiledOnce, type Queries, type Query } from "../database/queries.ts";
import type { Tables } from "../database/tables.ts";

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
  /** How long the details of a session's events are together, in characters. */
  detailCharacters(sessionId: string): Promise<number>;
  /**
   * Counts the characters of one more detail among those of all sessions. Resolves with false, and counts nothing, if there would be
   * more than `maxCharacters`.
   */
  reserveDetail(characters: number, maxCharacters: number): Promise<boolean>;
  /** Counts anew what is there, because events were removed. */
  recountDetails(): Promise<void>;
  /** Removes at most so many of the oldest events from before a time, in ms since the Unix epoch. Resolves with how many. */
  removeBefore(timeMs: number, limit: number): Promise<number>;
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

type EventColumns = Omit<Selectable<Tables["session_event"]>, "sequence">;

/** The id of the row that has the characters of all details. */
const details = "event details";

/** The statement that inserts an event. */
export function eventInsertion(database: Kysely<Tables>): (event: EventRecord) => Query<unknown> {
  const insert = compiledOnce<EventColumns, unknown>((parameter) =>
    database.insertInto("session_event").values({
      id: parameter("id"),
      session_id: parameter("session_id"),
      kind: parameter("kind"),
      detail: parameter("detail"),
      file: parameter("file"),
      created_at_ms: parameter("created_at_ms"),
      terminate_reason: parameter("terminate_reason"),
    }),
  );
  return (event) =>
    insert({
      id: event.id,
      session_id: event.sessionId,
      kind: event.kind,
      detail: event.detail,
      file: event.file,
      created_at_ms: event.createdAtMs,
      terminate_reason: event.terminateReason,
    });
}

function toRecord(row: Selectable<Tables["session_event"]>): EventRecord {
  return {
    id: row.id,
    sessionId: row.session_id,
    kind: row.kind,
    detail: row.detail,
    file: row.file,
    createdAtMs: row.created_at_ms,
    terminateReason: row.terminate_reason,
  };
}

/** Reported events in SQL. */
export function eventRows(database: Kysely<Tables>, queries: Queries): EventStore {
  const insert = eventInsertion(database);
  const ofSession = (sessionId: string) =>
    database.selectFrom("session_event").selectAll().where("session_id", "=", sessionId);
  async function page(sessionId: string, request: PageRequest) {
    return pageOf(await inPage(ofSession(sessionId), request).execute(), request, toRecord);
  }
  return {
    async insert(event) {
      await queries.run(insert(event));
    },
    async byId(sessionId, eventId) {
      const row = await ofSession(sessionId).where("id", "=", eventId).executeTakeFirst();
      return row ? toRecord(row) : null;
    },
    list: async (sessionId) => (await page(sessionId, {})).items,
    page,
    async detailCharacters(sessionId) {
      const { characters } = await database
        .selectFrom("session_event")
        .select(sql<number | string | null>`sum(length(detail))`.as("characters"))
        .where("session_id", "=", sessionId)
        .executeTakeFirstOrThrow();
      return Number(characters ?? 0);
    },
    async reserveDetail(characters, maxCharacters) {
      const { numUpdatedRows } = await database
        .updateTable("event_file_total")
        .set({ bytes: sql<number>`bytes + ${characters}` })
        .where("id", "=", details)
        .where("bytes", "<=", maxCharacters - characters)
        .executeTakeFirstOrThrow();
      return numUpdatedRows === 1n;
    },
    async recountDetails() {
      await database
        .updateTable("event_file_total")
        .set({ bytes: sql<number>`(select coalesce(sum(length(detail)), 0) from session_event)` })
        .where("id", "=", details)
        .execute();
    },
    async removeBefore(timeMs, limit) {
      // In the order of storing, which is that of time but for a few ms: it has an index.
      const oldest = await database
        .selectFrom("session_event")
        .select(["sequence", "created_at_ms"])
        .orderBy("sequence")
        .limit(limit)
        .execute();
      const last = oldest.findLast(({ created_at_ms: atMs }) => atMs < timeMs);
      if (!last) return 0;
      const { numDeletedRows } = await database
        .deleteFrom("session_event")
        .where("sequence", "<=", last.sequence)
        .where("created_at_ms", "<", timeMs)
        .executeTakeFirstOrThrow();
      return Number(numDeletedRows);
    },
  };
}
