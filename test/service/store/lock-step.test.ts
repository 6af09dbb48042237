import { expect, test } from "vitest";
import { UnitFailures, inLockStep } from "../../../src/service/store/lock-step.ts";
import { ask } from "../../../src/service/store/queries.ts";
import type { Query, RowLock, Unit } from "../../../src/service/store/queries.ts";
import { StatementFailure } from "../../../src/service/store/statement-failure.ts";

function write(sql: string, table?: RowLock["table"], key = ""): Query<unknown> {
  return { sql, parameters: [], lock: table && { table, key } };
}

function* asking(...queries: Query<unknown>[]): Unit<string> {
  for (const query of queries) yield* ask(query);
  return queries.map(({ sql }) => sql).join(" ");
}

/** A database that notes what it is sent, in which every statement changes a row. */
function database(refused?: string) {
  const steps: string[][] = [];
  const execute = (queries: readonly Query<unknown>[]) => {
    steps.push(queries.map(({ sql }) => sql));
    const answers = queries.map(() => ({ rows: [], changed: 1 }));
    const at = queries.findIndex(({ sql }) => sql === refused);
    return at < 0
      ? Promise.resolve(answers)
      : Promise.reject(new StatementFailure(answers.slice(0, at), new Error("refused")));
  };
  return { steps, execute };
}

async function failuresOf(work: Promise<unknown>): Promise<ReadonlyMap<number, unknown>> {
  const error: unknown = await work.catch((reason: unknown) => reason);
  if (error instanceof UnitFailures) return error.causes;
  throw new Error("It did not fail so.", { cause: error });
}

test("units go side by side: many take as many steps as one", async () => {
  const { steps, execute } = database();
  const units = ["a", "b", "c"].map((name) => asking(write(`${name}1`), write(`${name}2`)));
  const outcomes = await inLockStep(units, execute);
  expect(steps).toEqual([
    ["a1", "b1", "c1"],
    ["a2", "b2", "c2"],
  ]);
  expect(outcomes).toEqual([{ value: "a1 a2" }, { value: "b1 b2" }, { value: "c1 c2" }]);
});

test("rows are locked table by table and key by key, whoever asks first", async () => {
  const { steps, execute } = database();
  await inLockStep(
    [
      asking(write("org z", "organization", "z"), write("insert z")),
      asking(write("session b", "session", "b"), write("org a", "organization", "a")),
      asking(write("session a", "session", "a"), write("month", "organization_month", "a")),
      asking(write("insert")),
    ],
    execute,
  );
  expect(steps).toEqual([
    ["insert", "session a", "session b"],
    ["org a", "org z"],
    ["insert z", "month"],
  ]);
});

test("two changes of one row are made in the order in which they were asked for", async () => {
  const { steps, execute } = database();
  await inLockStep(
    ["first", "second"].map((sql) => asking(write(sql, "session", "a"))),
    execute,
  );
  expect(steps).toEqual([["first", "second"]]);
});

test("a unit that throws before it has written leaves the others alone", async () => {
  const { execute } = database();
  function* refusing(): Unit<void> {
    yield* ask({ sql: "select 1", parameters: [] });
    throw new Error("no place");
  }
  const outcomes = await inLockStep([refusing(), asking(write("a"))], execute);
  expect(outcomes).toEqual([{ error: new Error("no place") }, { value: "a" }]);
});

test("of units that throw after they have written, every one of the step is named", async () => {
  const { steps, execute } = database();
  function* throwing(name: string): Unit<void> {
    yield* ask(write(name));
    throw new Error(name);
  }
  const causes = await failuresOf(
    inLockStep([throwing("a"), asking(write("b"), write("c")), throwing("d")], execute),
  );
  expect([...causes]).toEqual([
    [0, new Error("a")],
    [2, new Error("d")],
  ]);
  expect(steps).toHaveLength(1);
});

test("a statement that is refused is its unit's", async () => {
  const { execute } = database("org a");
  const units = [asking(write("org b", "organization", "b")), asking(write("org a", "organization", "a"))];
  expect([...(await failuresOf(inLockStep(units, execute)))]).toEqual([[1, new Error("refused")]]);
});
