import { join } from "node:path";
import Database from "libsql";
import { expect, onTestFinished, test } from "vitest";
import { GroupCommit } from "../../../src/service/store/group-commit.ts";
import { temporaryFolder } from "../service-fixture.ts";

function openDatabase(file: string): Database.Database {
  const database = new Database(file);
  onTestFinished(() => void database.close());
  database.exec("pragma busy_timeout = 0; pragma journal_mode = wal;");
  return database;
}

/** A table of numbers, seen by the connection that writes and by another. */
function stage() {
  const file = join(temporaryFolder(), "numbers.db");
  const database = openDatabase(file);
  database.exec("create table number (value integer primary key)");
  const other = openDatabase(file);
  const commits = new GroupCommit(database);
  const values = (connection: Database.Database) =>
    (connection.prepare("select value from number order by value").all() as { value: number }[]).map(
      ({ value }) => value,
    );
  const insert = (value: number) => () => database.prepare("insert into number values (?)").run([value]);
  return { database, other, commits, insert, seen: () => values(other), read: () => values(database) };
}

test("what is written at once is committed together, and told when others see it", async () => {
  const { commits, insert, seen } = stage();
  const writes = [1, 2, 3].map((value) => commits.run(true, insert(value)));
  await Promise.resolve();
  expect(seen()).toEqual([]);
  await writes[0];
  expect(seen()).toEqual([1, 2, 3]);
});

test("a read tells nothing that is not committed", async () => {
  const { commits, insert, read, seen } = stage();
  void commits.run(true, insert(1));
  expect(await commits.run(false, read)).toEqual([1]);
  expect(seen()).toEqual([1]);
});

test("a statement that fails takes nobody along", async () => {
  const { commits, insert, seen } = stage();
  const outcomes = await Promise.allSettled([1, 1, 2].map((value) => commits.run(true, insert(value))));
  expect(outcomes.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
  expect(seen()).toEqual([1, 2]);
});

test("a unit is written wholly or not at all, and nothing comes between", async () => {
  const { commits, insert, seen } = stage();
  const before = commits.run(true, insert(1));
  const unit = await commits.begin();
  const between = commits.run(true, insert(2));
  unit.run(insert(3));
  await Promise.resolve();
  expect(() => unit.run(insert(2))).not.toThrow();
  unit.rollback();
  await Promise.all([before, between]);
  expect(seen()).toEqual([1, 2]);
  const kept = await commits.begin();
  kept.run(insert(4));
  kept.run(insert(5));
  await kept.commit();
  expect(seen()).toEqual([1, 2, 4, 5]);
});

test("a unit that takes its time holds the commit back", async () => {
  const { commits, insert, seen } = stage();
  const unit = await commits.begin();
  unit.run(insert(1));
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
  expect(seen()).toEqual([]);
  await unit.commit();
  expect(seen()).toEqual([1]);
});

test("when the database undoes everything, nobody is told that it was written", async () => {
  const { database, commits, insert, seen } = stage();
  const fullDisk = () => {
    database.exec("rollback");
    throw new Error("The disk is full.");
  };
  const outcomes = await Promise.allSettled([
    commits.run(true, insert(1)),
    commits.run(true, fullDisk),
    commits.run(true, insert(2)),
  ]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected", "fulfilled"]);
  expect(seen()).toEqual([2]);
});

test("a unit whose batch was undone writes nothing more", async () => {
  const { database, commits, insert, seen } = stage();
  const unit = await commits.begin();
  const fullDisk = () => {
    database.exec("rollback");
    throw new Error("The disk is full.");
  };
  expect(() => unit.run(fullDisk)).toThrow("full");
  expect(() => unit.run(insert(1))).toThrow("rolled back");
  unit.rollback();
  await commits.run(true, insert(2));
  expect(seen()).toEqual([2]);
});

test("another process's transaction is awaited while reads go on", async () => {
  const { commits, insert, other, read, seen } = stage();
  other.exec("begin immediate; insert into number values (9)");
  expect(await commits.run(false, read)).toEqual([]);
  const write = commits.run(true, insert(1));
  await new Promise((resolve) => setTimeout(resolve, 5));
  other.exec("commit");
  await write;
  expect(seen()).toEqual([1, 9]);
});
