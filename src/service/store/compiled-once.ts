import type { Compilable, CompiledQuery } from "kysely";
import type { Query } from "./queries.ts";

/** Stands for a parameter while a query is compiled. */
class Marker<Name> {
  readonly name: Name;

  constructor(name: Name) {
    this.name = name;
  }
}

interface CompileOptions {
  /** Whether the query answers one row at most, which saves a cursor. Default: any number. */
  isSingle?: boolean;
}

/**
 * A query that is compiled once, for those that run with every request: building one takes longer than it runs. `build`
 * makes it with `parameter(name)` in the place of each value.
 */
export function compiledOnce<Parameters extends object, Row>(
  build: (parameter: (name: keyof Parameters) => never) => Compilable<Row>,
  { isSingle = false }: CompileOptions = {},
): (parameters: Parameters) => Query<Row> {
  let compiled: CompiledQuery<Row> | undefined;
  return (parameters) => {
    compiled ??= build((name) => new Marker(name) as never).compile();
    return {
      sql: compiled.sql,
      isSingle,
      parameters: compiled.parameters.map((value) =>
        value instanceof Marker ? parameters[value.name as keyof Parameters] : value,
      ),
    };
  };
}
