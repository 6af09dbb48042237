import { setImmediate } from "node:timers/promises";
import pg from "pg";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { openPool } from "../../../../src/service/store/database/postgres-pool.ts";
import { postgresQueries } from "../../../../src/service/store/database/postgres-queries.ts";
import { ask, type Query, type Unit } from "../../../../src/service/store/database/queries.ts";
import { silentLog } from "../../service-fixture.ts";
import { hasPostgres, postgresForTests } from "../postgres-server.ts";

interface Row {
  value: number;
}

const insert = (value: number): Query<unknown> => ({
  name: "insert_number",
  sql: "insert into number (value) values ($1)",
  parameters: [value],
});

function* inserting(...values: number[]): Unit<number> {
  for (const value of values) yield* ask(insert(value));
  return values.length;
}

/** Increments the count of a row that other units change too. */
const increment = (table: "session" | "organization", id: string): Query<unknown> => ({
  name: `increment_${table}`,
  sql: `update ${table} set count = count + 1 where id = $1`,
  parameters: [id],
});

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]): string =>
  outcomes.map(({ status }) => (status === "fulfilled" ? "done" : "failed")).join(" ");

describe.skipIf(!hasPostgres)("units and queries in Postgres [needs PostgreSQL]", () => {
  const server = postgresForTests();
  let url: string;
  let client: pg.Client;

  beforeEach(async () => {
    url = await server.newDatabase();
    client = await connect();
    await client.query("create table number (value bigint primary key)");
    for (const table of ["session", "organization"])
      await client.query(`create table ${table} (id text primary key, count bigint not null default 0)`);
  });

  async function connect(): Promise<pg.Client> {
    const connected = new pg.Client(url);
    await connected.connect();
    onTestFinished(() => connected.end());
    return connected;
  }

  /** The queries of one service process. */
  function process(settings = "") {
    const pool = openPool(
      settings === "" ? url : `${url}?options=${encodeURIComponent(settings)}`,
      silentLog,
    );
    onTestFinished(() => pool.end());
    const queries = postgresQueries(pool);
    /** A unit that shares transactions. */
    const share = <Value>(begin: () => Unit<Value>) => queries.unit(begin, {});
    return { queries, share };
  }

  async function values(): Promise<number[]> {
    const { rows } = await client.query<{ value: string }>("select value from number order by value");
    return rows.map(({ value }) => Number(value));
  }

  test("concurrent units share a transaction and resolve when it is committed", async () => {
    const { share } = process();
    function* inTransaction(value: number): Unit<string> {
      yield* ask(insert(value));
      const { rows } = yield* ask<{ id: string }>({
        sql: "select pg_current_xact_id()::text as id",
        parameters: [],
      });
      return rows[0]!.id;
    }
    const [first, ...others] = [1, 2, 3].map((value) => share(() => inTransaction(value)));
    const transaction = await first;
    expect(await values()).toEqual([1, 2, 3]);
    expect(await Promise.all(others)).toEqual([transaction, transaction]);
    expect(await share(() => inTransaction(4))).not.toBe(transaction);
  });

  test("units that fail are rolled back, and the others of their transaction are written once", async () => {
    const { share } = process();
    function* throwing(value: number): Unit<never> {
      yield* ask(insert(value));
      throw new Error("no place");
    }
    const outcomes = await Promise.allSettled([
      share(() => inserting(1, 2)),
      share(() => inserting(3, 1)),
      share(() => throwing(4)),
      share(() => inserting(5)),
      share(() => inserting(6, 6)),
      share(() => inserting(7, 8)),
    ]);
    expect(statuses(outcomes)).toBe("done failed failed done failed done");
    expect(outcomes[1]).toMatchObject({ reason: { code: "23505" } });
    expect(outcomes[2]).toMatchObject({ reason: { message: "no place" } });
    expect(await values()).toEqual([1, 2, 5, 7, 8]);
  });

  test("when many units fail, each rejects with its own error and the others are written", async () => {
    const { share } = process();
    const units = Array.from({ length: 40 }, (_, index) =>
      share(() => (index % 2 === 0 ? inserting(index) : inserting(100 + index, 100 + index))),
    );
    expect(statuses(await Promise.allSettled(units))).toBe("done failed ".repeat(20).trim());
    expect(await values()).toEqual(Array.from({ length: 20 }, (_, index) => index * 2));
  });

  test("transactions of several processes do not deadlock", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    for (const table of ["session", "organization"])
      await client.query(`insert into ${table} (id) select unnest($1::text[])`, [keys]);
    let runs = 0;
    function* changing(session: string | undefined, organization: string): Unit<void> {
      runs += 1;
      if (session !== undefined) yield* ask(increment("session", session));
      yield* ask(increment("organization", organization));
    }
    const processes = [process(), process(), process()];
    const count = 900;
    // Each process runs them in another order, some in each turn of the event loop.
    const work = [7, 11, 13].flatMap((step, place) =>
      Array.from({ length: count }, async (_, at) => {
        const { queries } = processes[place]!;
        const index = (at * step) % count;
        for (let turns = at / 10; turns > 0; turns--) await setImmediate();
        const organization = keys[(index * 7) % 5]!;
        const session = keys[index % 5]!;
        if (index % 3 === 0) await queries.unit(() => changing(undefined, organization), { organization });
        else await queries.unit(() => changing(session, organization), { session, organization });
      }),
    );
    await Promise.all(work);
    // After a deadlock, units would have run again.
    expect(runs).toBe(work.length);
    const { rows } = await client.query<{ sum: string }>("select sum(count) from organization");
    expect(Number(rows[0]!.sum)).toBe(work.length);
  });

  test("a unit that was ended by a deadlock runs again", async () => {
    await client.query("insert into session (id) values ('a')");
    await client.query("insert into organization (id) values ('a')");
    // The server ends the transaction that checks for the deadlock first.
    await client.query("set deadlock_timeout = '60s'");
    const { share } = process("-c deadlock_timeout=50ms");
    await client.query("begin; update organization set count = 10 where id = 'a'");
    // The check comes once in each wait. So the unit waits for its second row only when the other transaction waits for its first.
    const watcher = await connect();
    await watcher.query("select pg_advisory_lock(1)");
    let runs = 0;
    const unit = share(function* (): Unit<void> {
      runs += 1;
      yield* ask(increment("session", "a"));
      yield* ask({ sql: "select pg_advisory_xact_lock(1)", parameters: [] });
      yield* ask(increment("organization", "a"));
    });
    const waiting = async (): Promise<number> =>
      (await watcher.query("select 1 from pg_stat_activity where wait_event_type = 'Lock'")).rows.length;
    await expect.poll(waiting).toBe(1);
    const other = client.query("update session set count = 10 where id = 'a'; commit");
    await expect.poll(waiting).toBe(2);
    await watcher.query("select pg_advisory_unlock(1)");
    await Promise.all([unit, other]);
    expect(runs).toBeGreaterThan(1);
    const { rows } = await client.query(
      "select count::int from session union all select count::int from organization",
    );
    expect(rows).toEqual([{ count: 11 }, { count: 11 }]);
  });

  test("when a connection breaks, units in flight fail and later ones are written", async () => {
    const { share } = process();
    function* breaking(): Unit<void> {
      yield* ask(insert(1));
      yield* ask({ sql: "select pg_terminate_backend(pg_backend_pid())", parameters: [] });
    }
    const together = [share(breaking), share(() => inserting(2, 3))];
    expect(statuses(await Promise.allSettled(together))).toBe("failed failed");
    expect(await share(() => inserting(4))).toBe(1);
    expect(await values()).toEqual([4]);
  });

  test("the server ends a transaction whose process hangs", async () => {
    const { share } = process();
    const timeout = "select current_setting('idle_in_transaction_session_timeout') as value";
    const { rows } = await share(() => ask({ sql: timeout, parameters: [] }));
    expect(rows).toEqual([{ value: "5s" }]);
  });

  test("a table that another version changes is still read and written", async () => {
    const { queries, share } = process();
    const all: Query<Row> = { name: "all", sql: "select * from number order by value", parameters: [] };
    const returning = (value: number): Query<Row> => ({
      name: "returning",
      sql: "insert into number (value) values ($1) returning *",
      parameters: [value],
    });
    await share(() => ask(returning(1)));
    // On every connection of the pool.
    await Promise.all(Array.from({ length: 10 }, () => queries.run(all)));
    await client.query("alter table number add column name text");
    const answers = await Promise.all([2, 3].map((value) => share(() => ask(returning(value)))));
    expect(answers.map(({ rows }) => rows)).toEqual([[{ value: 2, name: null }], [{ value: 3, name: null }]]);
    const reads = await Promise.all(Array.from({ length: 10 }, () => queries.run(all)));
    for (const { rows } of reads) expect(rows).toHaveLength(3);
    expect(reads[9]!.rows[0]).toEqual({ value: 1, name: null });
  });

  test("a query that fails does not affect concurrent ones", async () => {
    const { queries } = process();
    const outcomes = await Promise.allSettled(
      ["1", "x", "3", "y", "5"].map((text) =>
        queries.run({ name: "cast", sql: "select $1::bigint as value", parameters: [text] }),
      ),
    );
    expect(statuses(outcomes)).toBe("done failed done failed done");
    expect(outcomes[1]).toMatchObject({ reason: { code: "22P02" } });
    expect(outcomes[4]).toMatchObject({ value: { rows: [{ value: 5 }] } });
  });

  test("a unit without shared rows has a transaction of its own", async () => {
    const { queries } = process();
    const outcomes = await Promise.allSettled([
      queries.unit(() => inserting(1, 2)),
      queries.unit(() => inserting(3, 3)),
    ]);
    expect(statuses(outcomes)).toBe("done failed");
    expect(await values()).toEqual([1, 2]);
  });
});
