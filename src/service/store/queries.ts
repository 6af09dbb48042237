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
