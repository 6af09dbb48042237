import pg from "pg";
import { parameterText, parserOf } from "./postgres-values.ts";
import type { Answer, Query } from "./queries.ts";
import { StatementFailure, isPassing } from "./statement-failure.ts";

/** The service's statements are few; the limit only guards against ones that are made up as they go. */
const keptStatements = 200;

interface Field {
  name: string;
  parse: (text: string) => unknown;
}

/** A statement as a connection knows it. */
interface Prepared {
  /** Empty for one that the connection forgets at the next. */
  name: string;
  fields: readonly Field[];
}

/** What each connection has prepared, by its text. */
const preparedStatements = new WeakMap<pg.ClientBase, Map<string, Prepared>>();

/** A name is never given twice: of a statement that failed nobody knows whether it has kept its name. */
let namesGiven = 0;

interface RowDescription {
  fields: readonly { name: string; dataTypeID: number }[];
}

/**
 * Statements that go to the server in one message and whose answers come in one (PostgreSQL, Frontend/Backend Protocol,
 * Pipelining). When one fails, the server skips those behind it.
 *
 * The driver takes it for a query of its own kind. Its pipelines would take a message of the network for each statement,
 * and that costs more than most of ours do.
 */
class Pipeline implements pg.Submittable {
  /** The driver puts its timeout in between. */
  callback: (error: Error | null) => void;
  readonly answers: Answer<unknown>[] = [];
  readonly #queries: readonly Query<unknown>[];
  readonly #known: Map<string, Prepared>;
  /** One for each query. */
  readonly #prepared: Prepared[] = [];
  #rows: unknown[] = [];

  constructor(
    queries: readonly Query<unknown>[],
    known: Map<string, Prepared>,
    callback: (error: Error | null) => void,
  ) {
    this.#queries = queries;
    this.#known = known;
    this.callback = callback;
  }

  submit(connection: pg.Connection): void {
    const parsing = new Map<string, Prepared>();
    connection.stream.cork();
    for (const { sql, parameters } of this.#queries) {
      const prepared = this.#known.get(sql) ?? parsing.get(sql) ?? this.#parse(connection, sql, parsing);
      this.#prepared.push(prepared);
      connection.bind({ statement: prepared.name, values: parameters.map(parameterText) }, true);
      connection.execute({}, true);
    }
    connection.sync();
    connection.stream.uncork();
  }

  #parse(connection: pg.Connection, sql: string, parsing: Map<string, Prepared>): Prepared {
    const isKept = this.#known.size + parsing.size < keptStatements;
    const prepared = { name: isKept ? `visavis_${++namesGiven}` : "", fields: [] };
    if (isKept) parsing.set(sql, prepared);
    connection.parse({ name: prepared.name, text: sql, types: [] }, true);
    connection.describe({ type: "S", name: prepared.name }, true);
    return prepared;
  }

  handleRowDescription({ fields }: RowDescription): void {
    this.#prepared[this.answers.length]!.fields = fields.map(({ name, dataTypeID }) => ({
      name,
      parse: parserOf(dataTypeID, "text"),
    }));
  }

  handleDataRow({ fields: texts }: { fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    let place = 0;
    for (const { name, parse } of this.#prepared[this.answers.length]!.fields) {
      const text = texts[place++] ?? null;
      row[name] = text === null ? null : parse(text);
    }
    this.#rows.push(row);
  }

  handleCommandComplete({ text }: { text: string }): void {
    const place = this.answers.length;
    const prepared = this.#prepared[place]!;
    if (prepared.name !== "") this.#known.set(this.#queries[place]!.sql, prepared);
    // `UPDATE 3`, `INSERT 0 3`, `BEGIN`
    this.answers.push({ rows: this.#rows, changed: Number(/\d+$/.exec(text)?.[0] ?? 0) });
    this.#rows = [];
  }

  handleReadyForQuery(): void {
    this.callback(null);
  }

  handleError(error: Error): void {
    this.callback(error);
  }
}

function statementsOf(client: pg.ClientBase): Map<string, Prepared> {
  const known = preparedStatements.get(client) ?? new Map<string, Prepared>();
  preparedStatements.set(client, known);
  return known;
}

/**
 * Runs statements on a connection, one after the other, in one round trip, each prepared once. Outside of a transaction
 * they are one of their own. Throws a StatementFailure where the server refused one; after anything else the connection is
 * of no use any more.
 */
export function runTogether(
  client: pg.ClientBase,
  queries: readonly Query<unknown>[],
): Promise<Answer<unknown>[]> {
  return new Promise((resolve, reject) => {
    const pipeline: Pipeline = new Pipeline(queries, statementsOf(client), (error) => {
      if (error === null) resolve(pipeline.answers);
      else if (!(error instanceof pg.DatabaseError)) reject(error);
      else {
        // Another version of the service may have changed the tables meanwhile: then everything is prepared anew.
        if (isPassing(error)) preparedStatements.delete(client);
        reject(new StatementFailure(pipeline.answers, error));
      }
    });
    client.query(pipeline);
  });
}
