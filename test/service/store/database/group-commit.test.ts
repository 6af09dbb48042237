import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test, vi } from "vitest";
import { GroupCommit } from "../../../../src/service/store/database/sqlite-queries.ts";
import { temporaryFolder } from "../../service-fixture.ts";

function openDatabase(file: string): Database.Database {
  const database = new Database(file);
  onTestFinished(() => void database.close());
  database.exec("pragma busy_timeout = 0; pragma journal_mode = wal;");
  return database;
}

/** A table of numbers, read by the writing connection and by another one. */
function setUp() {
  const file = join(temporaryFolder(), "numbers.db");
  const database = openDatabase(file);
  database.exec("create table number (value integer primary key)");
  const other = openDatabase(file);
  const commits = new GroupCommit(database);
  const seen = () =>
    (other.prepare("select value from number order by value").all() as { value: number }[]).map(
      ({ value }) => value,
    );
  const insert = (value: number) => () => database.prepare("insert into number values (?)").run([value]);
  const fullDisk = () => {
    database.exec("rollback");
    throw new Error("The disk is full.");
  };
  return { database, other, commits, insert, seen, fullDisk };
}

const statuses = (outcomes: readonly PromiseSettledResult<unknown>[]): string =>
  outcomes.map(({ status }) => (status === "fulfilled" ? "done" : "failed")).join(" ");

test("concurrent writes share a commit and resolve after it", async () => {
  const { commits, insert, seen } = setUp();
  const writes = [1, 2, 3].map((value) => commits.statement(insert(value)));
  await Promise.resolve();
  expect(seen()).toEqual([]);
  await writes[0];
  expect(seen()).toEqual([1, 2, 3]);
});

test("writes shortly after a commit share the next one", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { commits, insert, seen } = setUp();
  await commits.statement(insert(1));
  const second = commits.statement(insert(2));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen()).toEqual([1]);
  const third = commits.statement(insert(3));
  vi.advanceTimersByTime(4);
  expect(seen()).toEqual([1, 2, 3]);
  await Promise.all([second, third]);
});

test("a statement that fails does not affect the others", async () => {
  const { commits, insert, seen } = setUp();
  const outcomes = await Promise.allSettled([1, 1, 2].map((value) => commits.statement(insert(value))));
  expect(statuses(outcomes)).toBe("done failed done");
  expect(seen()).toEqual([1, 2]);
});

test("a unit that fails is rolled back, and the others of its commit are written once", async () => {
  const { commits, insert, seen } = setUp();
  const pair = (first: number, second: number) => () => {
    insert(first)();
    insert(second)();
    return first + second;
  };
  const outcomes = await Promise.allSettled([
    commits.statement(insert(1)),
    commits.unit(pair(2, 3)),
    commits.unit(pair(4, 1)),
    commits.unit(pair(5, 6)),
    commits.unit(pair(7, 7)),
    commits.statement(insert(8)),
  ]);
  expect(statuses(outcomes)).toBe("done done failed done failed done");
  expect(outcomes[3]).toMatchObject({ value: 11 });
  expect(seen()).toEqual([1, 2, 3, 5, 6, 8]);
});

test("a unit that runs again resolves with its second result", async () => {
  const { database, commits, insert } = setUp();
  let runs = 0;
  const counted = commits.unit(() => {
    insert(1)();
    return { runs: ++runs, rows: database.prepare("select value from number").all().length };
  });
  const failing = commits.unit(() => {
    insert(2)();
    insert(1)();
  });
  await expect(failing).rejects.toThrow("UNIQUE");
  expect(await counted).toEqual({ runs: 2, rows: 1 });
});

test("when the database rolls everything back, all writes reject", async () => {
  const { commits, insert, seen, fullDisk } = setUp();
  const outcomes = await Promise.allSettled([
    commits.statement(insert(1)),
    commits.statement(fullDisk),
    commits.statement(insert(2)),
    commits.unit(fullDisk),
    commits.unit(insert(3)),
  ]);
  expect(statuses(outcomes)).toBe("failed failed failed failed done");
  expect(seen()).toEqual([3]);
});

test("when the database rolls everything back while a batch is repeated, all writes reject", async () => {
  const { commits, insert, seen, fullDisk } = setUp();
  let runs = 0;
  const outcomes = await Promise.allSettled([
    commits.unit(insert(1)),
    commits.unit(() => (++runs === 1 ? insert(2)() : fullDisk())),
    commits.unit(() => {
      insert(3)();
      insert(3)();
    }),
    commits.unit(insert(4)),
  ]);
  expect(statuses(outcomes)).toBe("failed failed failed done");
  expect(seen()).toEqual([4]);
});

test("writes wait for another process's transaction and keep their order", async () => {
  const { commits, insert, other, seen } = setUp();
  other.exec("begin immediate; insert into number values (9)");
  const writes = [commits.statement(insert(1)), commits.unit(insert(1)), commits.statement(insert(2))];
  const outcomes = Promise.allSettled(writes);
  // The first write has met the other transaction; all of them wait.
  await new Promise(setImmediate);
  other.exec("commit");
  expect(statuses(await outcomes)).toBe("done failed done");
  expect(seen()).toEqual([1, 2, 9]);
});
