import { keysOf } from "../../protocol/keys-of.ts";
import { Batches } from "./batches.ts";
import type { Task } from "./batches.ts";
import type { Queries } from "./queries.ts";
import { changingColumns } from "./session-columns.ts";
import type { ChangingColumns } from "./session-columns.ts";
import type { ChangeCompanions, SessionRecord, SessionStore } from "./store.ts";

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
