/** Tables whose rows transactions may wait for, in the order in which every unit takes them: so none waits in a circle. */
export const lockOrder = ["session", "organization", "organization_month", "event_file_total"] as const;

/** A row that a statement changes and that others may be changing at the same time. */
export interface RowLock {
  table: (typeof lockOrder)[number];
  key: string;
}

/** A statement with the values of its parameters. `Row` is what it answers. */
export interface Query<Row> {
  sql: string;
  parameters: readonly unknown[];
  /** Whether it answers one row at most. */
  isSingle?: boolean;
  /** Default: it waits for nobody. */
  lock?: RowLock | undefined;
  /** Only there for the compiler. */
  row?: Row;
}

/** What a statement did. */
export interface Answer<Row> {
  rows: Row[];
  /** Rows that it added, changed or removed. */
  changed: number;
}

/**
 * Statements of which all are written, or none: it yields each and is given what it did. A unit that throws is undone. It
 * changes nothing but the database, for it may be run again from its beginning. Its locks come in their order, and before
 * what waits for nobody.
 */
export type Unit<Value> = Generator<Query<unknown>, Value, Answer<unknown>>;

/** The short way to a database, for statements that run with every request. */
export interface Queries {
  run<Row>(query: Query<Row>): Promise<Answer<Row>>;
  /** Resolves with what the unit returns, once it is committed. Rejects with what it throws, once it is undone. */
  unit<Value>(begin: () => Unit<Value>): Promise<Value>;
}

/** Whether a statement only reads. */
export function isRead({ sql }: Query<unknown>): boolean {
  return /^\s*select\b/i.test(sql);
}

/** Runs one statement in a unit. */
export function* ask<Row>(query: Query<Row>): Unit<Answer<Row>> {
  return (yield query) as Answer<Row>;
}
