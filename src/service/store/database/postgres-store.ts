import type pg from "pg";
import { type FileStore, isFileName } from "../files/file-store.ts";
import { keysOf } from "../../../protocol/schema/keys-of.ts";
import { Batches, type Queries, type Task } from "./queries.ts";
import { changingColumns, type ChangingColumns } from "../entities/session-rows.ts";
import type { ChangeCompanions, SessionRecord, SessionStore } from "../entities/session-store.ts";
import { sql } from "kysely";
import type { Logger } from "../../../logging/logger.ts";
import { migratePostgres, openPool } from "./postgres-pool.ts";
import { postgresQueries } from "./postgres-queries.ts";
import { PostgresRoom } from "./postgres-room.ts";
import { queryBuilder } from "./query-builder.ts";
import { storeRows } from "../store-rows.ts";
import { sealCatalogue } from "../secrets/sealed-catalogue.ts";
import type { SecretBox } from "../secrets/secret-box.ts";
import type { SealableStore } from "../store.ts";

/** Files in a table, so that all processes with the same database have them. */
export function postgresFiles(pool: pg.Pool): FileStore {
  return {
    async write(name, bytes) {
      if (!isFileName(name)) throw new Error("The file name contains characters that are not allowed.");
      await pool.query(
        "insert into stored_file (name, bytes) values ($1, $2) on conflict (name) do update set bytes = excluded.bytes",
        [name, Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)],
      );
    },
    async read(name) {
      if (!isFileName(name)) return null;
      const { rows } = await pool.query<{ bytes: Buffer }>("select bytes from stored_file where name = $1", [
        name,
      ]);
      return rows[0]?.bytes ?? null;
    },
    async size(name) {
      if (!isFileName(name)) return null;
      const { rows } = await pool.query<{ bytes: number }>(
        "select length(bytes) as bytes from stored_file where name = $1",
        [name],
      );
      return rows[0]?.bytes ?? null;
    },
    async remove(name) {
      if (isFileName(name)) await pool.query("delete from stored_file where name = $1", [name]);
    },
  };
}

/** The columns of a change with their types in arrays. */
const columnTypes: Record<keyof ChangingColumns, "text" | "bigint"> = {
  revision: "bigint",
  status: "text",
  termination_reason: "text",
  in_progress_at_ms: "bigint",
  last_seen_at_ms: "bigint",
  ended_at_ms: "bigint",
  bought_min: "bigint",
  peer_closed_at_ms: "bigint",
  leaving_at_ms: "bigint",
  holds_place: "bigint",
  deadline_at_ms: "bigint",
};

const columns = keysOf(columnTypes);

/** The values of each column are one array, so that the statement is the same for any number of sessions. */
const updateMany = `
  update session set ${columns.map((name) => `${name} = change.${name}`).join(", ")}
  from unnest($1::text[], ${columns.map((name, index) => `$${index + 2}::${columnTypes[name]}[]`).join(", ")})
    with ordinality as change (id, ${columns.join(", ")}, place)
  where session.id = change.id and session.revision = change.revision - 1
  returning change.place
`;

type ChangeTask = Task<SessionRecord, "saved" | "stale">;

function byId({ item: one }: ChangeTask, { item: other }: ChangeTask): number {
  return one.id < other.id ? -1 : one.id > other.id ? 1 : 0;
}

function isPlain({ event, minutes, place }: ChangeCompanions): boolean {
  return event === undefined && minutes === undefined && place === undefined;
}

/**
 * Sessions in Postgres. Changes without companions, such as heartbeats, are saved for many sessions in one statement. Everything
 * else is done by `rows`.
 */
export function postgresSessions(queries: Queries, rows: SessionStore): SessionStore {
  const changes = new Batches(async (tasks: readonly ChangeTask[]) => {
    // Updated in the order of their ids, as every transaction does, so that they cannot deadlock.
    const sorted = tasks.toSorted(byId);
    const values = sorted.map(({ item }) => changingColumns(item));
    const { rows: saved } = await queries.run<{ place: number }>({
      name: "update_sessions",
      sql: updateMany,
      parameters: [
        sorted.map(({ item }) => item.id),
        ...columns.map((name) => values.map((row) => row[name])),
      ],
    });
    const places = new Set(saved.map(({ place }) => place - 1));
    for (const [place, { resolve }] of sorted.entries()) resolve(places.has(place) ? "saved" : "stale");
  });

  return {
    ...rows,
    replace: (session, companions = {}) =>
      isPlain(companions) ? changes.add(session) : rows.replace(session, companions),
  };
}

/** A store in Postgres, with its files beside the rows. */
export interface PostgresStore {
  store: SealableStore;
  files: FileStore;
  /** The connections that both use. Closed with the store. */
  pool: pg.Pool;
}

/** Runs the work under a lock of the database. The lock ends with the connection that took it. */
async function alone<Result>(pool: pg.Pool, name: string, work: () => Promise<Result>): Promise<Result> {
  const client = await pool.connect();
  let locked = false;
  try {
    // The holder may keep the lock longer than a query may take, so this asks again and again instead of waiting in a query.
    for (;;) {
      const { rows } = await client.query<{ locked: boolean }>(
        "select pg_try_advisory_lock(hashtextextended($1, 0)) as locked",
        [`visavis ${name}`],
      );
      locked = rows[0]?.locked === true;
      if (locked) break;
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    return await work();
  } finally {
    const unlocked =
      locked &&
      (await client.query("select pg_advisory_unlock(hashtextextended($1, 0))", [`visavis ${name}`]).then(
        () => true,
        () => false,
      ));
    client.release(!unlocked);
  }
}

/**
 * The store in a Postgres database (`postgres://…`). Creates missing tables. Throws when the
 * database does not answer or was written by a newer version.
 */
export async function openPostgresStore(url: string, log: Logger, box?: SecretBox): Promise<PostgresStore> {
  await migratePostgres(url);
  const pool = openPool(url, log);
  const room = new PostgresRoom(pool);
  const direct = postgresQueries(pool);
  const queries: Queries = {
    run: (query) => room.watch(direct.run(query)),
    unit: (begin, locked) => room.watch(direct.unit(begin, locked)),
  };
  const stored = postgresFiles(pool);
  const files: FileStore = { ...stored, write: (name, bytes) => room.watch(stored.write(name, bytes)) };
  const kysely = queryBuilder("postgres", queries);
  const rows = storeRows(kysely, queries, box);
  /** Removes everything from the tables that was overwritten. */
  const wipe = async (): Promise<void> => {
    await pool.query("vacuum full catalogue_entry");
    await pool.query("vacuum full webhook");
  };
  const store: SealableStore = {
    ...rows,
    sessions: postgresSessions(queries, rows.sessions),
    seal: () =>
      box ? alone(pool, "seal", () => sealCatalogue(kysely, queries, box, wipe)) : Promise.resolve(0),
    alone: (name, work) => alone(pool, name, work),
    forget: () => Promise.resolve(true),
    ping: async () => {
      await sql`select 1`.execute(kysely);
      await room.check();
    },
    close: () => pool.end(),
  };
  return { store, files, pool };
}
