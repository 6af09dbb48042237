import { type Kysely, sql } from "kysely";
import { ask, compiledOnce, type Queries, type Unit } from "../database/queries.ts";
import type { EventFile, EventFileLimits, EventFileRefusal, EventFileStore, EventFileUse } from "../store.ts";
import type { Tables } from "../database/tables.ts";

/** The id of the row that has the bytes of all files. */
const everything = "event files";

interface Addition {
  id: string;
  bytes: number;
}

interface Insertion extends EventFile {
  createdAtMs: number;
  maxFiles: number;
  bytesBefore: number;
}

/** The statements that change rows. */
function statements(database: Kysely<Tables>) {
  return {
    /** Changes nothing if there would be more than `maxBytes`. */
    add: compiledOnce<Addition & { maxBytes: number }, unknown>((parameter) =>
      database
        .updateTable("event_file_total")
        .set({ bytes: sql<number>`bytes + ${parameter("bytes")}` })
        .where("id", "=", parameter("id"))
        .where(sql<boolean>`bytes + ${parameter("bytes")} <= ${parameter("maxBytes")}`),
    ),
    subtract: compiledOnce<Addition, unknown>((parameter) =>
      database
        .updateTable("event_file_total")
        .set({ bytes: sql<number>`bytes - ${parameter("bytes")}` })
        .where("id", "=", parameter("id")),
    ),
    recount: compiledOnce<{ id: string }, unknown>((parameter) =>
      database
        .updateTable("event_file_total")
        .set({ bytes: sql<number>`(select coalesce(sum(bytes), 0) from event_file)` })
        .where("id", "=", parameter("id")),
    ),
    /** Inserts nothing if the session would have too many files or bytes. */
    insert: compiledOnce<Insertion, unknown>((parameter) => {
      const own = sql`from event_file where session_id = ${parameter("sessionId")}`;
      const statement = sql`
        insert into event_file (name, session_id, bytes, created_at_ms)
        select cast(${parameter("name")} as text), cast(${parameter("sessionId")} as text),
          cast(${parameter("bytes")} as bigint), cast(${parameter("createdAtMs")} as bigint)
        where (select count(*) ${own}) < cast(${parameter("maxFiles")} as bigint)
          and (select coalesce(sum(bytes), 0) ${own}) <= cast(${parameter("bytesBefore")} as bigint)
      `;
      return { compile: () => statement.compile(database) };
    }),
    remove: compiledOnce<{ name: string }, { bytes: number | null }>(
      (parameter) =>
        database.deleteFrom("event_file").where("name", "=", parameter("name")).returning("bytes"),
      { isSingle: true },
    ),
    forget: compiledOnce<{ name: string }, unknown>((parameter) =>
      database.updateTable("session_event").set({ file: null }).where("id", "=", parameter("name")),
    ),
  };
}

/** The units that change rows. */
function eventFileUnits(database: Kysely<Tables>) {
  const { add, subtract, recount, insert, remove, forget } = statements(database);

  function* reservation(
    file: EventFile,
    createdAtMs: number,
    limits: EventFileLimits,
  ): Unit<EventFileRefusal | null> {
    const { bytes } = file;
    if (limits.maxFiles < 1 || bytes > limits.maxBytes) return "session_full";
    const total = yield* ask(add({ id: everything, bytes, maxBytes: limits.storeMaxBytes }));
    if (total.changed === 0) return "store_full";
    const { maxFiles } = limits;
    const own = yield* ask(insert({ ...file, createdAtMs, maxFiles, bytesBefore: limits.maxBytes - bytes }));
    if (own.changed === 1) return null;
    // Undone by a statement and not by throwing, because a refusal is an ordinary result.
    yield* ask(subtract({ id: everything, bytes }));
    return "session_full";
  }

  function* removal(name: string): Unit<void> {
    const [row] = (yield* ask(remove({ name }))).rows;
    if (row?.bytes) yield* ask(subtract({ id: everything, bytes: row.bytes }));
    yield* ask(forget({ name }));
  }

  function* recounting(): Unit<void> {
    // Takes the lock, so that the sum includes everything that others have committed.
    yield* ask(subtract({ id: everything, bytes: 0 }));
    yield* ask(recount({ id: everything }));
  }

  return { reservation, removal, recounting };
}

/** The sizes of event files in SQL: one row per file, and one row with the bytes of all files, whose lock orders uploads. */
export function eventFileRows(database: Kysely<Tables>, queries: Queries): EventFileStore {
  const { reservation, removal, recounting } = eventFileUnits(database);

  return {
    reserve: (file, createdAtMs, limits) => queries.unit(() => reservation(file, createdAtMs, limits)),
    remove: (name) => queries.unit(() => removal(name)),
    async use(sessionId): Promise<EventFileUse> {
      const own = await database
        .selectFrom("event_file")
        .select((select) => [
          select.fn.countAll<number>().as("files"),
          sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as("bytes"),
        ])
        .where("session_id", "=", sessionId)
        .executeTakeFirstOrThrow();
      const total = await database
        .selectFrom("event_file_total")
        .select("bytes")
        .where("id", "=", everything)
        .executeTakeFirst();
      return { files: own.files, bytes: own.bytes, storeBytes: total?.bytes ?? 0 };
    },
    async createdBefore(timeMs, limit) {
      const rows = await database
        .selectFrom("event_file")
        .select(["name", "bytes"])
        .where("created_at_ms", "<", timeMs)
        .orderBy("created_at_ms")
        .limit(limit)
        .execute();
      return rows.map(({ name, bytes }) => ({ name, bytes: bytes ?? 0 }));
    },
    async unmeasured(limit) {
      const rows = await database
        .selectFrom("event_file")
        .select("name")
        .where("bytes", "is", null)
        .limit(limit)
        .execute();
      return rows.map(({ name }) => name);
    },
    async measure(name, bytes) {
      await database.updateTable("event_file").set({ bytes }).where("name", "=", name).execute();
    },
    recount: () => queries.unit(recounting),
  };
}
