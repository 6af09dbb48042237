import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import type { Tables } from "./tables.ts";

/** Stands for a parameter while a query is compiled. */
class Marker<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

/** Runs a compiled query with its parameters, on the database or in a transaction. */
type Run<Parameters, Row> = (database: Kysely<Tables>, parameters: Parameters) => Promise<QueryResult<Row>>;

/**
 * A query that is compiled once, for those that run with every heartbeat: building one takes longer than it runs. `build`
 * makes it with `parameter(name)` in the place of each value.
 */
export function compiledOnce<Parameters extends object, Row>(
  build: (parameter: (name: keyof Parameters) => never) => Compilable<Row>,
): Run<Parameters, Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (database, parameters) => {
    compiled ??= build((name) => new Marker(name) as never).compile();
    const values = compiled.parameters.map((value) =>
      value instanceof Marker ? parameters[value.name as keyof Parameters] : value,
    );
    return database.executeQuery({ ...compiled, parameters: values });
  };
}
