import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { PostgresGroupCommit } from "../../../src/service/store/postgres-group-commit.ts";
import { PostgresGroupReads } from "../../../src/service/store/postgres-group-reads.ts";
import { openPool } from "../../../src/service/store/postgres-pool.ts";
import { ask } from "../../../src/service/store/queries.ts";
import type { Query, RowLock, Unit } from "../../../src/service/store/queries.ts";
import { silentLog } from "../service-fixture.ts";
import { hasPostgres, startPostgres, type PostgresServer } from "./postgres-server.ts";

interface Row {
  value: number;
}

const insert = (value: number): Query<unknown> => ({
  sql: "insert into number (value) values ($1)",
  parameters: [value],
});

function* inserting(...values: number[]): Unit<number> {
  for (const value of values) yield* ask(insert(value));
  return values.length;
}

/** Counts one more in a row that others change too. */
const countMore = (table: RowLock["table"], key: string): Query<unknown> => ({
  sql: `update ${table} set count = count + 1 where id = $1`,
  parameters: [key],
  lock: { table, key },
});

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]) => outcomes.map(({ status }) => status);

describe.skipIf(!hasPostgres)("shared transactions in Postgres", () => {
  let server: PostgresServer;
  let url: string;
  let client: pg.Client;

  beforeAll(async () => {
    server = await startPostgres();
  }, 60_000);

  afterAll(() => server.remove());

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

  /** What a process has. */
  function process(settings = "") {
    const pool = openPool(
      settings === "" ? url : `${url}?options=${encodeURIComponent(settings)}`,
      silentLog,
    );
    onTestFinished(() => pool.end());
    return { commits: new PostgresGroupCommit(pool), reads: new PostgresGroupReads(pool) };
  }

  async function values(): Promise<number[]> {
    const { rows } = await client.query<{ value: string }>("select value from number order by value");
    return rows.map(({ value }) => Number(value));
  }

  test("units that come at once are one transaction, and told when others see what they wrote", async () => {
    const { commits } = process();
    function* inTransaction(value: number): Unit<string> {
      yield* ask(insert(value));
      const { rows } = yield* ask<{ id: string }>({
        sql: "select pg_current_xact_id()::text as id",
        parameters: [],
      });
      return rows[0]!.id;
    }
    const [first, ...others] = [1, 2, 3].map((value) => commits.unit(() => inTransaction(value)));
    const transaction = await first;
    expect(await values()).toEqual([1, 2, 3]);
    expect(await Promise.all(others)).toEqual([transaction, transaction]);
    expect(await commits.unit(() => inTransaction(4))).not.toBe(transaction);
  });

  test("units that fail are undone wholly, and everything that shares their transaction is written once", async () => {
    const { commits } = process();
    function* throwing(value: number): Unit<never> {
      yield* ask(insert(value));
      throw new Error("no place");
    }
    const outcomes = await Promise.allSettled([
      commits.unit(() => inserting(1, 2)),
      commits.unit(() => inserting(3, 1)),
      commits.unit(() => throwing(4)),
      commits.unit(() => inserting(5)),
      commits.unit(() => inserting(6, 6)),
      commits.unit(() => inserting(7, 8)),
    ]);
    expect(statuses(outcomes)).toEqual([
      "fulfilled",
      "rejected",
      "rejected",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "23505" } });
    expect(outcomes[2]).toMatchObject({ reason: { message: "no place" } });
    expect(await values()).toEqual([1, 2, 5, 7, 8]);
  });

  test("where many fail, each hears its own reason and the others are written", async () => {
    const { commits } = process();
    const units = Array.from({ length: 40 }, (_, index) =>
      commits.unit(() => (index % 2 === 0 ? inserting(index) : inserting(100 + index, 100 + index))),
    );
    const outcomes = statuses(await Promise.allSettled(units));
    expect(outcomes).toEqual(units.map((_, index) => (index % 2 === 0 ? "fulfilled" : "rejected")));
    expect(await values()).toEqual(Array.from({ length: 20 }, (_, index) => index * 2));
  });

  test("transactions of several processes never stand in each other's way", async () => {
    const keys = ["a", "b", "c", "d", "e"];
    for (const table of ["session", "organization"])
      await client.query(`insert into ${table} (id) select unnest($1::text[])`, [keys]);
    let runs = 0;
    function* changing(index: number): Unit<void> {
      runs += 1;
      if (index % 3 !== 0) yield* ask(countMore("session", keys[index % 5]!));
      yield* ask(countMore("organization", keys[(index * 7) % 5]!));
    }
    const processes = [process(), process(), process()];
    const units = Array.from({ length: 900 }, (_, index) => index);
    // Each in another order.
    const work = processes.flatMap(({ commits }, place) =>
      units.map(async (index) => {
        await new Promise((resolve) => setTimeout(resolve, (index * (place + 1)) % 97));
        await commits.unit(() => changing(index));
      }),
    );
    await Promise.all(work);
    // A deadlock would have been undone and done again.
    expect(runs).toBe(work.length);
    const { rows } = await client.query<{ sum: string }>("select sum(count) from organization");
    expect(Number(rows[0]!.sum)).toBe(work.length);
  });

  test("a deadlock with somebody who keeps no order is done again", async () => {
    await client.query("insert into session (id) values ('a')");
    await client.query("insert into organization (id) values ('a')");
    // Whoever looks first gives way.
    await client.query("set deadlock_timeout = '60s'");
    const { commits } = process("-c deadlock_timeout=50ms");
    await client.query("begin; update organization set count = 10 where id = 'a'");
    let runs = 0;
    const unit = commits.unit(function* (): Unit<void> {
      runs += 1;
      yield* ask(countMore("session", "a"));
      yield* ask(countMore("organization", "a"));
    });
    const watcher = await connect();
    const waiting = "select 1 from pg_stat_activity where wait_event_type = 'Lock'";
    while ((await watcher.query(waiting)).rows.length === 0)
      await new Promise((resolve) => setTimeout(resolve, 5));
    await client.query("update session set count = 10 where id = 'a'; commit");
    await unit;
    expect(runs).toBeGreaterThan(1);
    const { rows } = await client.query(
      "select count::int from session union all select count::int from organization",
    );
    expect(rows).toEqual([{ count: 11 }, { count: 11 }]);
  });

  test("a connection that breaks takes along what was on its way, and nothing after it", async () => {
    const { commits } = process();
    function* breaking(): Unit<void> {
      yield* ask(insert(1));
      yield* ask({ sql: "select pg_terminate_backend(pg_backend_pid())", parameters: [] });
    }
    const together = [commits.unit(breaking), commits.unit(() => inserting(2, 3))];
    expect(statuses(await Promise.allSettled(together))).toEqual(["rejected", "rejected"]);
    expect(await commits.unit(() => inserting(4))).toBe(1);
    expect(await values()).toEqual([4]);
  });

  test("a transaction in which its process freezes is not kept for long", async () => {
    const { commits } = process();
    const timeout = "select current_setting('idle_in_transaction_session_timeout') as value";
    const { rows } = await commits.unit(() => ask({ sql: timeout, parameters: [] }));
    expect(rows).toEqual([{ value: "5s" }]);
  });

  test("a table that another version changes meanwhile is read and written on", async () => {
    const { commits, reads } = process();
    const all: Query<Row> = { sql: "select * from number order by value", parameters: [] };
    const returning = (value: number): Query<Row> => ({
      sql: "insert into number (value) values ($1) returning *",
      parameters: [value],
    });
    await commits.unit(() => ask(returning(1)));
    expect((await reads.read(all)).rows).toEqual([{ value: 1 }]);
    await client.query("alter table number add column name text");
    expect((await commits.unit(() => ask(returning(2)))).rows).toEqual([{ value: 2, name: null }]);
    const [first, second] = await Promise.all([reads.read(all), reads.read(all)]);
    expect(first.rows).toEqual([
      { value: 1, name: null },
      { value: 2, name: null },
    ]);
    expect(second).toEqual(first);
  });

  test("a read that fails takes nobody along", async () => {
    const { reads } = process();
    const read = (text: string): Query<unknown> => ({
      sql: "select $1::bigint as value",
      parameters: [text],
    });
    const outcomes = await Promise.allSettled(
      ["1", "x", "3", "y", "5"].map((text) => reads.read(read(text))),
    );
    expect(statuses(outcomes)).toEqual(["fulfilled", "rejected", "fulfilled", "rejected", "fulfilled"]);
    expect(outcomes[1]).toMatchObject({ reason: { code: "22P02" } });
    expect(outcomes[4]).toMatchObject({ value: { rows: [{ value: 5 }] } });
  });
});
