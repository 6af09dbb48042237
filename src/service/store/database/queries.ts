import type { Compilable, CompiledQuery } from "kysely";

/** A statement with the values of its parameters. `Row` is the type of the rows that it returns. */
export interface Query<Row> {
  sql: string;
  parameters: readonly unknown[];
  /** A name for this SQL text and no other. Postgres then parses and plans it once per connection. */
  name?: string;
  /** Whether it returns at most one row. */
  isSingle?: boolean;
  /** Only there for the compiler. */
  row?: Row;
}

/** The result of a statement. */
export interface Answer<Row> {
  rows: Row[];
  /** Number of rows that it inserted, updated or deleted. */
  changed: number;
}

/**
 * Statements that are written all together or not at all. A unit yields each statement and receives its answer. If it throws,
 * its statements are rolled back. It must not change anything but the database, because it may run again from its start.
 */
export type Unit<Value> = Generator<Query<unknown>, Value, Answer<unknown>>;

/**
 * The rows that a unit changes and that other units change too. In Postgres, units with this information share transactions:
 * all lock sessions first, then organizations, each in the order of their ids, so that transactions cannot deadlock.
 */
export interface SharedRows {
  /** The session that the unit's first statement updates. */
  session?: string;
  /** The organization that the unit updates. */
  organization?: string;
}

/** Runs statements without the query builder. Used for everything that runs on every request. */
export interface Queries {
  run<Row>(query: Query<Row>): Promise<Answer<Row>>;
  /**
   * Runs a unit. Resolves with its return value when it is committed, rejects with its error when it is rolled back.
   * Without `shared` it has a transaction of its own.
   */
  unit<Value>(begin: () => Unit<Value>, shared?: SharedRows): Promise<Value>;
}

/** Whether a statement only reads. */
export function isRead({ sql }: Query<unknown>): boolean {
  return /^\s*select\b/i.test(sql);
}

/** Runs one statement in a unit. */
export function* ask<Row>(query: Query<Row>): Unit<Answer<Row>> {
  // eslint-disable-next-line no-restricted-syntax -- a unit gets the answer to the statement that it yielded
  return (yield query) as Answer<Row>;
}

/** Stands for a parameter while a query is compiled. */
class Placeholder<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** Statement names must be unique within a connection, and several stores may share a process. */
let compiledQueries = 0;

/**
 * A query that is compiled once, because building it takes longer than running it. `build` receives a function that gives
 * the placeholder of each parameter. `isSingle`: the query returns at most one row.
 */
export function compiledOnce<Parameters extends object, Row>(
  build: (parameter: (name: keyof Parameters) => never) => Compilable<Row>,
  { isSingle = false } = {},
): (parameters: Parameters) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  let name = "";
  return (parameters) => {
    if (!compiled) {
      // eslint-disable-next-line no-restricted-syntax -- the builder takes it for a value of any column
      compiled = build((key) => new Placeholder(key) as never).compile();
      name = `visavis_${++compiledQueries}`;
    }
    return {
      name,
      sql: compiled.sql,
      isSingle,
      parameters: compiled.parameters.map((value) =>
        // eslint-disable-next-line no-restricted-syntax -- `build` was given no other name
        value instanceof Placeholder ? parameters[value.name as keyof Parameters] : value,
      ),
    };
  };
}

/** Reads JSON that the store has written itself. `Value` is the type of what was written. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- only the writer knows the type
export function storedJson<Value>(text: string): Value {
  // eslint-disable-next-line no-restricted-syntax -- see above
  return JSON.parse(text) as Value;
}

/** An item that waits for its result. */
export interface Task<Item, Result> {
  item: Item;
  resolve(result: Result): void;
  reject(error: unknown): void;
}

/** Settles every task. If it rejects, the tasks that it has not settled are rejected with the same error. */
type BatchWork<Item, Result> = (tasks: readonly Task<Item, Result>[]) => Promise<void>;

/** A larger batch would make every task wait for the last one. */
const maxTasks = 200;

/** Processes concurrent items in batches. One batch runs at a time; items that arrive meanwhile form the next one. */
export class Batches<Item, Result> {
  readonly #work: BatchWork<Item, Result>;
  #waiting: Task<Item, Result>[] = [];
  #isRunning = false;

  constructor(work: BatchWork<Item, Result>) {
    this.#work = work;
  }

  /** Adds an item to the next batch. */
  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (this.#isRunning) return;
      this.#isRunning = true;
      // Items of the same event loop turn share a batch.
      setImmediate(() => void this.#run());
    });
  }

  async #run(): Promise<void> {
    while (this.#waiting.length > 0) {
      const tasks = this.#waiting.splice(0, maxTasks);
      try {
        await this.#work(tasks);
      } catch (error) {
        for (const task of tasks) task.reject(error);
      }
    }
    this.#isRunning = false;
  }
}
